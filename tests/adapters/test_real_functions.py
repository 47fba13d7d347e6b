"""A function judged in its module by copies of itself, and by copies of the original where it was changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from judging import judged, tools_on
from mpt.ports import Tools
from mpt.source import find_functions
from mpt.values import Raised


@pytest.fixture(scope="module")
def tools() -> Iterator[Tools]:
    yield from tools_on()


MODULE = '''
import asyncio, datetime, enum, os
from collections.abc import Callable
from dataclasses import dataclass
import numpy as np
import pandas as pd
LIMIT = 3
class Color(enum.Enum):
    RED = 1
    BLUE = 2
@dataclass
class Point:
    x: int
    y: int = 0
    def moved(self, by: "Point") -> "Point":
        """The point so much further."""
        return Point(self.x + by.x, self.y + by.y)
    def grow(self, n: int) -> None:
        """Make it longer."""
        self.x += n * LIMIT
def scaled(a: np.ndarray, k: float) -> np.ndarray:
    """The array times k plus the limit."""
    return a * k + LIMIT
def shares(frame: pd.DataFrame) -> pd.Series:
    """How often each row's first value occurs."""
    return frame.iloc[:, 0].value_counts() + LIMIT
def named(color: Color) -> str:
    """The color's name and number."""
    return color.name.lower() + str(color.value + LIMIT)
def applied(f: Callable[[int], int], n: int) -> list:
    """What f makes of the numbers from 0 to n."""
    return [f(i + LIMIT) for i in range(abs(n) % 9)]
def adder(n: int):
    """A function that adds n and the limit."""
    return lambda x: x + n + LIMIT
async def later(xs: list[int]):
    """The numbers, each more by the limit, in their time."""
    for x in xs:
        await asyncio.sleep(0)
        yield x + LIMIT
def aged(born: datetime.date) -> int:
    """Full years until today, and the limit."""
    return datetime.date.today().year - born.year + LIMIT
'''
FUNCTIONS = {function.name: function for function in find_functions(MODULE)}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_copies_agree_and_a_change_is_found(tools: Tools, name: str) -> None:
    function = FUNCTIONS[name]
    report = judged(tools, function, function)
    assert report.verdict.status == "CONSISTENT", report.verdict.reason
    changed = function.source.replace("LIMIT", "LIMIT + 1") if "LIMIT" in function.source else function.source
    changed = changed.replace("self.y + by.y", "self.y - by.y")
    report = judged(tools, replace(function, source=changed), function)
    assert report.verdict.status == "INCONSISTENT", report.verdict.reason


def test_what_is_fixed_is_told(tools: Tools) -> None:
    report = judged(tools, FUNCTIONS["aged"], FUNCTIONS["aged"])
    assert "it reads the clock, which stands still at 2024-01-02 03:04:05 UTC" in report.notes


def test_where_the_module_cannot_be_imported_its_definitions_are_taken_alone(tools: Tools) -> None:
    text = (
        'import no_such_module\nLIMIT = 3\ndef f(x: int) -> int:\n    """More by the limit."""\n    return x + LIMIT\n'
    )
    [function] = find_functions(text)
    report = judged(tools, function, function)
    assert report.verdict.status == "CONSISTENT"
    assert any("the definitions it needs were taken alone" in note for note in report.notes)


def test_where_even_these_are_missing_it_is_named(tools: Tools) -> None:
    method = '    def f(self, x: int) -> int:\n        """More."""\n        return x\n'
    text = f"import no_such_module\nclass A(gone.B):\n{method}"
    [function] = find_functions(text)
    report = judged(tools, function, function)
    assert report.verdict.status == "INCONCLUSIVE"
    assert report.verdict.reason.endswith("and without it there is no 'gone'")


def test_only_what_it_does_not_take_is_inconclusive(tools: Tools) -> None:
    text = 'import os\nLIMIT = 3\ndef f(handle):\n    """Greet it."""\n    return handle.greet(LIMIT)\n'
    [function] = find_functions(text)
    report = judged(tools, function, function)
    assert report.verdict.reason.startswith("no input was found that it takes")


def test_programs_that_give_a_list_for_an_iterator_agree(tools: Tools) -> None:
    text = (
        "from itertools import islice\ndef pieces(xs, n):\n"
        '    """Split xs into pieces of n.\n\n    >>> list(pieces([1, 2, 3], 2))\n    [[1, 2], [3]]\n    """\n'
        "    it = iter(xs)\n    return iter(lambda: list(islice(it, n)), [])\n"
    )
    [function] = find_functions(text)
    listing = replace(function, source="def pieces(xs, n):\n    return [xs[i:i + n] for i in range(0, len(xs), n)]\n")
    report = judged(tools, function, listing)
    assert report.verdict.status == "CONSISTENT", report.verdict
    wrong = replace(
        function, source="def pieces(xs, n):\n    return iter([xs[i:i + n] for i in range(0, len(xs) - 1, n)])\n"
    )
    report = judged(tools, wrong, listing)
    assert report.verdict.status == "INCONSISTENT"
    assert "contradicts an example" in report.verdict.reason


def test_objects_are_made_by_the_module_as_it_is_whatever_a_program_does(tools: Tools) -> None:
    text = (
        "class Bag:\n    def __init__(self, items: list[int]):\n        self._items = []\n        self.fill(items)\n"
        '    def fill(self, items: list[int]) -> None:\n        """Put the items into the bag."""\n'
        "        self._items.extend(items)\n"
    )
    [function] = [one for one in find_functions(text) if one.name == "Bag.fill"]
    other = replace(function, source="def fill(self, items):\n    self.items.extend(items)\n")
    report = judged(tools, function, other)
    assert report.evidence is not None
    assert {type(outcome) for row in report.evidence.others for outcome in row} == {Raised}
    assert judged(tools, function, function).verdict.status == "CONSISTENT"
