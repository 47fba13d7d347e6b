"""The codec is total: no bytes raise anything but CodecError, no object raises; what was encoded comes back."""

from __future__ import annotations

import collections
import contextlib
import datetime
import json
import math
import types
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mpt import spelling
from mpt.equality import same_value
from mpt.values import Value
from mpt.worker import checking, codec

ATOMS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(st.characters(codec="utf-8")),
    st.text(st.characters(categories=("Cs", "Lu"))).filter(lambda text: text == json.loads(json.dumps(text))),
    st.binary(),
    st.complex_numbers(),
    st.decimals(allow_nan=False),
    st.fractions(),
    st.datetimes(),
    st.dates(),
    st.times(),
    st.timedeltas(),
    st.builds(range, st.integers(-9, 9), st.integers(-9, 9), st.integers(1, 9)),
)
HASHABLE = st.one_of(st.integers(), st.text(st.characters(codec="utf-8")), st.tuples(st.booleans(), st.integers()))
VALUES = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.lists(inner, max_size=4).map(collections.deque),
        st.dictionaries(HASHABLE, inner, max_size=4),
        st.sets(HASHABLE, max_size=4),
        st.frozensets(HASHABLE, max_size=4),
        st.binary().map(bytearray),
    ),
    max_leaves=20,
)
TREES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-9, 9), st.floats(), st.text(max_size=4), st.just("0x1f")),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.one_of(st.sampled_from(sorted(checking.BODIES)), st.text(max_size=3)), inner, max_size=2),
    ),
    max_leaves=12,
)
"""JSON that is nearly a value's."""
ITEMS = st.lists(
    st.one_of(
        st.integers(-9, 9),
        st.floats(),
        st.text(max_size=2),
        st.fixed_dictionaries({"missing": st.sampled_from(["NaT", "NA", "masked", "?"])}),
        st.fixed_dictionaries({"datetime64": st.sampled_from(["2024-01", "-0044-03-15T12", "2024-13-01T99:99+99:99"])}),
        st.fixed_dictionaries({"timedelta64": st.tuples(st.integers(), st.sampled_from(["ns", "M", "generic", "?"]))}),
    ),
    max_size=2,
)
COLUMN = st.tuples(st.sampled_from(["int64", "category[", ""]), ITEMS)
INDEX = st.fixed_dictionaries(
    {
        "index": st.tuples(
            st.sampled_from(["Index", "RangeIndex", "MultiIndex", "DatetimeIndex", "?"]),
            ITEMS,
            st.lists(COLUMN, max_size=2),
            st.sampled_from(["", "D"]),
        )
    }
)
CATEGORY = st.fixed_dictionaries({"category": st.tuples(INDEX | ITEMS, st.booleans())})
TABLES = st.one_of(
    INDEX,
    CATEGORY,
    st.fixed_dictionaries({"array": st.tuples(st.text(max_size=3), st.lists(st.integers(-1, 3), max_size=3), ITEMS)}),
    st.fixed_dictionaries({"extension": st.tuples(CATEGORY | st.just("Int64") | ITEMS, ITEMS)}),
    st.fixed_dictionaries({"series": st.tuples(st.none() | INDEX, INDEX | ITEMS, CATEGORY | st.just("str"), ITEMS)}),
    st.fixed_dictionaries({"frame": st.tuples(INDEX, INDEX, st.lists(COLUMN, max_size=2))}),
)
"""Nearly numpy's and pandas's values: most have as many items as they say, and many do not."""


@given(VALUES)
def test_what_is_encoded_comes_back(value: object) -> None:
    text = codec.encode(value)
    assert text.isascii()
    assert "\n" not in text
    back = codec.build(codec.parse(text))
    assert codec.encode(back) == text
    assert type(back) is type(value)
    assert back == value or "NaN" in text


@given(st.binary(max_size=60))
@example(b"[" * 100_000)
@example(b'{"tuple":' * 100_000)
@example(b"9" * 10_000)
@example(b'{"int":"0x"}')
@example(b'{"int":"1f"}')
@example(b'{"range":[1,2,0]}')
@example(b'{"fraction":[1,0]}')
@example(b'{"complex":[{"int":"0x' + b"f" * 400 + b'"},0]}')
@example(b'{"timedelta":[{"int":"0x' + b"f" * 400 + b'"},0,0]}')
@example(b'{"time":"25:00"}')
@example(b'{"decimal":"one"}')
@example(b'{"frame":[[],[["a",1]]]}')
@example(b'{"array":["int64",[2,2],[1,2,3]]}')
@example(b'{"array":["int64",[4611686018427387904,0],[]]}')
@example(b'{"array":["int64",[' + b"1," * 99 + b"1],[5]]}")
@example(b'{"array":["int64",[true],[5]]}')
@example(b'{"index":["MultiIndex",[],[],""]}')
@example(b'{"index":["Index",[null,null],[["int64",[1]],["int64",[]]],""]}')
@example(b'{"category":[{"index":["Index",[null],[[{"category":1},[]]],""]},true]}')
@example(b'{"datetime64":"2024-01-01T00:00:00' + b"9" * 200 + b'"}')
@example(b'"\xff"')
@example("{}".encode("utf-16"))
def test_any_bytes_are_a_value_or_a_codec_error(data: bytes) -> None:
    check(data)


@given(TREES)
def test_any_tree_is_a_value_or_a_codec_error(tree: object) -> None:
    check(codec.dumps(tree))


@given(TABLES)
def test_any_table_is_a_value_or_a_codec_error(tree: object) -> None:
    check(codec.dumps(tree))


@given(TABLES, TABLES)
def test_any_two_tables_can_be_compared(left: object, right: object) -> None:
    with contextlib.suppress(codec.CodecError):
        values = [Value(codec.dumps(codec.parse(codec.dumps(tree)))) for tree in (left, right)]
        assert same_value(*values) is same_value(*reversed(values))


def check(wire: Any) -> None:
    """What is a value for `parse` can be shown, compared and rebuilt without surprise."""
    try:
        tree = codec.parse(wire)
    except codec.CodecError:
        return
    value = Value(codec.dumps(tree))
    assert isinstance(spelling.literal(value), str)
    assert same_value(value, value) in (True, None)
    with contextlib.suppress(codec.CodecError):
        codec.build(tree)


def endless() -> Any:
    while True:
        yield 1


def cyclic() -> Any:
    loop: list[Any] = []
    loop.append(loop)
    return loop


class Meta(type):
    @property
    def __name__(cls) -> str:  # type: ignore[override]
        raise RuntimeError

    def __getattr__(cls, name: str) -> Any:
        raise ValueError(name)


class Hostile(metaclass=Meta):
    """Raises from everything that can be asked of it."""

    def __getattribute__(self, name: str) -> Any:
        raise ValueError(name)

    def __eq__(self, other: object) -> bool:
        raise ValueError

    def __hash__(self) -> int:
        raise ValueError

    def __repr__(self) -> str:
        raise ValueError

    def __iter__(self) -> Any:
        raise ValueError

    def __next__(self) -> Any:
        raise ValueError

    def __len__(self) -> int:
        raise ValueError

    def __reduce__(self) -> Any:
        raise ValueError


STRANGE = {
    "object": Hostile,
    "class": lambda: Hostile,
    "in a list": lambda: [Hostile()],
    "in a dict": lambda: {1: Hostile()},
    "endless": endless,
    "cyclic": cyclic,
    "function": lambda: endless,
    "long": lambda: [[]] * 300_000,
}


@pytest.mark.parametrize("make", STRANGE.values(), ids=STRANGE.keys())
def test_no_object_raises(make: Callable[[], Any]) -> None:
    codec.parse(codec.encode(make()))


def test_what_cannot_be_carried_is_opaque() -> None:
    assert codec.parse(codec.encode(object())) == {"opaque": "object"}


def test_an_endless_iterator_is_its_first_items() -> None:
    assert codec.parse(codec.encode(endless())) == {"iterator": ["generator", [1] * codec.MAX_ITEMS, False]}


def test_special_numbers() -> None:
    tree = codec.parse(codec.encode([math.nan, math.inf, -0.0, 10**5000, Decimal("NaN"), Fraction(1, 3)]))
    assert repr(tree[:3]) == "[nan, inf, -0.0]"
    assert codec.build(tree[3]) == 10**5000
    assert tree[4:] == [{"decimal": "NaN"}, {"fraction": [1, 3]}]


def test_dataclasses_and_namedtuples_by_name_and_fields() -> None:
    point = collections.namedtuple("Point", "x y")(1, datetime.date(2024, 2, 29))
    assert codec.parse(codec.encode(point)) == {"record": ["Point", [["x", 1], ["y", {"date": "2024-02-29"}]]]}


class Spare:
    """Has slots, a `__getattr__` that knows nothing, and keeps its hash."""

    __slots__ = ("__part", "_hash")

    def __init__(self, part: int) -> None:
        self.__part = part
        self._hash = hash(self)

    def __hash__(self) -> int:
        return hash(("seeded anew in every process", self.__part))

    def __getattr__(self, name: str) -> Any:
        raise KeyError(name)


def test_attributes_in_slots_are_carried_and_a_hash_that_is_kept_is_not() -> None:
    slots = Spare.__slots__
    del Spare.__slots__
    try:
        assert codec.parse(codec.encode(Spare(3))) == {"object": ["Spare", [["_Spare__part", 3]]]}
    finally:
        Spare.__slots__ = slots


def test_a_container_written_in_c_is_what_it_holds() -> None:
    proxy = types.MappingProxyType({"a": 1})
    assert codec.parse(codec.encode(proxy)) == {"object": ["mappingproxy", [["dict", {"dict": [["a", 1]]}]]]}


def test_an_iterator_ends_with_what_it_raises() -> None:
    assert codec.parse(codec.encode(map(int, ["1", "x"]))) == {"iterator": ["iterator", [1], "ValueError"]}
