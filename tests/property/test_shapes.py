"""Laws of the decoder: any bytes are arguments, of the shape asked for, and what is encoded comes back."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mpt.worker.mutation import Constants, Mutator
from mpt.worker.shapes import Parameters

Spec = dict[str, Any]


def shape(kind: str, *items: Spec, low: float | None = None, high: float | None = None, samples: Any = ()) -> Spec:
    return {"kind": kind, "items": list(items), "low": low, "high": high, "samples": list(samples)}


def bounds(low: int, high: int) -> st.SearchStrategy[tuple[int | None, int | None]]:
    numbers = st.tuples(st.integers(low, high), st.integers(low, high)).map(sorted)
    return st.one_of(st.just((None, None)), numbers.map(tuple))


def ints() -> st.SearchStrategy[Spec]:
    samples = st.lists(st.integers(-1000, 1000), max_size=3)
    return st.builds(lambda b, s: shape("int", low=b[0], high=b[1], samples=s), bounds(-1000, 1000), samples)


def floats() -> st.SearchStrategy[Spec]:
    samples = st.lists(st.floats(-1000, 1000) | st.sampled_from([float("nan"), float("inf")]), max_size=3)
    return st.builds(lambda b, s: shape("float", low=b[0], high=b[1], samples=s), bounds(-1000, 1000), samples)


def texts() -> st.SearchStrategy[Spec]:
    samples = st.lists(st.text(max_size=12), max_size=3)
    kinds = st.sampled_from(["str", "letters"])
    return st.builds(lambda k, b, s: shape(k, low=b[0], high=b[1], samples=s), kinds, bounds(0, 60), samples)


def leaves() -> st.SearchStrategy[Spec]:
    plain = st.sampled_from(
        [shape("none"), shape("bool"), shape("complex"), shape("literal", samples=[1, "a", {"decimal": "1.5"}])]
    )
    return st.one_of(ints(), floats(), texts(), plain, bounds(0, 20).map(lambda b: shape("bytes", low=b[0], high=b[1])))


def inner(items: st.SearchStrategy[Spec]) -> st.SearchStrategy[Spec]:
    many = st.sampled_from(["list", "set", "frozenset"])
    return st.one_of(
        st.builds(lambda kind, item, b: shape(kind, item, low=b[0], high=b[1]), many, items, bounds(0, 6)),
        st.builds(lambda item, high: shape("tuple", item, low=0, high=high), items, st.integers(0, 6)),
        st.lists(items, max_size=3).map(lambda several: shape("tuple", *several)),
        st.lists(items, min_size=1, max_size=3).map(lambda several: shape("union", *several)),
        st.builds(lambda key, item: shape("dict", key, item, low=0, high=3), items, items),
    )


shapes = st.recursive(leaves(), inner, max_leaves=5)
parameters = st.lists(shapes, max_size=4).map(
    lambda several: Parameters([{"name": f"p{i}", "keyword": False, "shape": s} for i, s in enumerate(several)])
)


def holds(which: Parameters, values: list[Any]) -> bool:
    return all(one.holds(value) for one, value in zip(which.shapes, values, strict=True))


@given(parameters, st.binary(max_size=200))
def test_any_bytes_are_arguments_of_the_shape(which: Parameters, data: bytes) -> None:
    assert holds(which, which.decode(data))


@given(parameters, st.binary(max_size=200))
def test_what_is_encoded_comes_back(which: Parameters, data: bytes) -> None:
    values = which.decode(data)
    encoded = which.encode(values)
    if encoded is not None:
        assert repr(which.decode(encoded)) == repr(values) or which.decode(encoded) == values


@given(parameters, st.integers(0, 2**32))
def test_mutations_stay_within_the_shape_and_come_from_the_seed_alone(which: Parameters, seed: int) -> None:
    def bred() -> list[list[Any]]:
        mutator = Mutator(which, Constants(["x = 7 + 0.5; y = 'text'"]), Random(seed))
        values, other = mutator.fresh(), mutator.fresh()
        found = []
        for _ in range(30):
            values = mutator.mutated(values, other)
            found.append(values)
        return found

    assert all(holds(which, values) for values in Mutator(which, Constants([]), Random(seed)).edges(which.decode(b"")))
    found = bred()
    assert all(holds(which, values) for values in found)
    assert repr(found) == repr(bred())
