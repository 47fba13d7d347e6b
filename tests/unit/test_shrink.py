"""The smallest input that still differs: by whatever still differs means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpt.shrink import shrink, size
from mpt.spelling import call, value_of
from mpt.values import Arguments
from mpt.worker import codec


def made(*values: object, **named: object) -> Arguments:
    keyword = tuple((name, value_of(value)) for name, value in named.items())
    return Arguments(tuple(map(value_of, values)), keyword, origin="fuzzed")


def asking(
    condition: Callable[..., bool], asked: list[int] | None = None
) -> Callable[[Sequence[Arguments]], list[bool]]:
    def still_differs(batch: Sequence[Arguments]) -> list[bool]:
        if asked is not None:
            asked.append(len(batch))
        return [condition(*(codec.build(codec.parse(v.wire)) for v in one.positional)) for one in batch]

    return still_differs


@pytest.mark.parametrize(
    ("start", "condition", "expected"),
    [
        ([5, 3, 99, -4, 7], lambda x: any(n > 6 for n in x), "f([7])"),
        ([5, 3, 99, -4, 7], lambda x: len(x) >= 2, "f([0, 0])"),
        ("Hello World 42", lambda x: " " in x, "f(' ')"),
        ("Hello", lambda x: any(c.isupper() for c in x), "f('A')"),
        (-1234, lambda x: x < -10, "f(-11)"),
        (3.14159, lambda x: x > 3, "f(3.1)"),
        ((9, "abc"), lambda x: len(x) == 2, "f((0, ''))"),
        ({"k": 7, "long key": 9}, lambda x: len(x) == 1, "f({'': 0})"),
        ({4, 5, 6}, lambda x: len(x) > 0, "f({0})"),
        (True, lambda x: True, "f(True)"),
        (None, lambda x: True, "f(None)"),
        ([[1, 2], [3]], lambda x: any(x), "f([[0]])"),
    ],
)
def test_the_smallest_is_found(start: Any, condition: Callable[[Any], bool], expected: str) -> None:
    assert call("f", shrink(made(start), asking(condition))) == expected


def test_several_arguments_and_names() -> None:
    found = shrink(made([4, 5], 9, key="abc"), lambda batch: [len(one.positional[0].wire) > 2 for one in batch])
    assert call("f", found) == "f([0], 0, key='')"
    assert found.origin == "shrunk"


def test_what_cannot_be_made_smaller_stays_as_it_was() -> None:
    start = made([7, 8])
    assert shrink(start, lambda batch: [False] * len(batch)) is start


def test_the_budget_is_kept() -> None:
    asked: list[int] = []
    shrink(made("x" * 200), asking(lambda text: len(text) > 100, asked), budget=100)
    assert sum(asked) <= 100


@settings(max_examples=30)
@given(st.recursive(st.integers() | st.text(max_size=8) | st.floats(), lambda s: st.lists(s, max_size=4), max_leaves=8))
def test_never_larger_and_always_the_same(start: Any) -> None:
    def odd(batch: Sequence[Arguments]) -> list[bool]:
        return [sum(size(one)[1].encode()) % 3 == 0 for one in batch]

    found = shrink(made(start), odd)
    assert size(found) <= size(made(start))
    assert shrink(made(start), odd) == found
