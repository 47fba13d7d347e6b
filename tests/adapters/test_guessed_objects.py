"""Functions of a module of its author's own: what is passed to them is guessed from what the body does with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from fakes import FakeWatch
from judging import judged, tools_on
from mpt import codegen, inputs
from mpt.locating import module_of
from mpt.ports import Tools
from mpt.source import find_functions
from mpt.values import Campaign, Function, FuzzBudget


@pytest.fixture(scope="module")
def tools() -> Iterator[Tools]:
    yield from tools_on()


SPANS = """
import typing
if typing.TYPE_CHECKING:
    from shop.units import Unit
class Span:
    def __init__(self, begin, end, unit: "Unit"):
        self.begin, self.end, self.unit = begin, end, unit
    def has_point(self, x):
        return self.begin <= x < self.end
"""
UNITS = """
import abc
class Unit:
    def __init__(self, factor: int): self.factor = factor
class Named(abc.ABC):
    def __init__(self, label): self.label = label
    @abc.abstractmethod
    def spelt(self): ...
class Plain(Named):
    def spelt(self): return self.label * 2
"""
MODULE = '''
from datetime import datetime
import shop.spans
from shop import units
from shop.spans import Span
LIMIT = 3
DEFAULT = object()

def width(span: Span) -> int:
    """How wide it is, and the limit."""
    return span.end - span.begin + LIMIT
def scaled(unit: units.Unit) -> int:
    """Its factor and the limit."""
    return unit.factor + LIMIT
def within(it, x):
    """Whether x is in it, and the limit."""
    return [it.has_point(x), LIMIT]
def wider(old_span):
    """Its end, and the limit."""
    return _end(old_span) + LIMIT
def _end(s):
    return s.end
def spelling(named: units.Named):
    """How it is spelt."""
    return [named.spelt(), LIMIT]
def weekday(dt):
    """Its day in the week, and the limit."""
    return dt.replace(tzinfo=None).isoweekday() + LIMIT
def hours(pause):
    """So many hours, and the limit."""
    return pause.total_seconds() / 3600 + LIMIT
def content(fileobj):
    """All that is in it, and the limit."""
    return [fileobj.read(), LIMIT]
def timed(moment: datetime) -> int:
    """Its year and the limit."""
    return moment.year + LIMIT
def joined(a, b, c, d):
    """Them all together."""
    return a.pop() + b.pop() + c.pop() + d.pop() + LIMIT
def checked(thing):
    """Its bytes, doubled."""
    if not isinstance(thing, (bytearray, bytes)):
        raise TypeError(thing)
    return [thing + thing, LIMIT]
def chosen(values, pick=DEFAULT, weight=None):
    """What is picked of them, or how many there are."""
    return (len(values) if pick is DEFAULT else values[pick]["x"]) + LIMIT + (0 if weight is None else weight.scale)
def cut(*parts):
    """The parts in one text, each cut at the limit."""
    return "".join(part.strip()[:LIMIT] for part in parts)
def piped(*steps):
    """One, put through the steps, and the limit where there are some."""
    value = 1
    for step in steps:
        value = step(value)
    return [value, LIMIT] if steps else value
def zipped(*seqs):
    """Them side by side, and the limit where there is something."""
    return [*zip(*seqs), *([LIMIT] if seqs else [])]
def drawn(**options):
    """How large it is drawn, with the limit where a border is wanted."""
    return options.get("size", 1) * 2 + (LIMIT if "border" in options else 0)
class Even:
    def __init__(self, n: int):
        if n % 2:
            raise ValueError(n)
        self.n = n
    def half(self, m: int):
        """Half of it, and m, and the limit."""
        return self.n // 2 + m + LIMIT
class Money:
    def __init__(self, amount: int):
        self.amount = amount
    def plus(self, other):
        """Both together and the limit."""
        return Money(self.amount + other.amount + LIMIT)
class Source:
    """A source of names.

    >>> s = Source("a=1;b=2")
    """
    def __init__(self, spec):
        self.pairs = dict(pair.split("=") for pair in spec.split(";"))
    def names(self):
        """The names in it, and the limit."""
        return sorted(self.pairs) + [LIMIT]
class Rule:
    def all(self):
        raise NotImplementedError
    def count(self):
        """How many there are, and the limit."""
        return len(self.all()) + LIMIT
class Every(Rule):
    def __init__(self, step: int):
        self.step = step
    def all(self):
        return list(range(0, 20, max(1, abs(self.step))))
'''


@pytest.fixture(scope="module")
def functions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Function]:
    package = tmp_path_factory.mktemp("project") / "shop"
    package.mkdir()
    for name, text in (("__init__", ""), ("spans", SPANS), ("units", UNITS), ("document", MODULE)):
        (package / f"{name}.py").write_text(text)
    path = package / "document.py"
    return {one.name: one for one in find_functions(MODULE, str(path), module_of(path))}


NAMES = """width scaled within wider spelling weekday hours content timed joined checked chosen cut piped zipped drawn
Money.plus Source.names Rule.count"""


@pytest.mark.parametrize("name", NAMES.split())
def test_copies_agree_and_a_change_is_found(tools: Tools, functions: dict[str, Function], name: str) -> None:
    function = functions[name]
    report = judged(tools, function, function)
    assert report.verdict.status == "CONSISTENT", report.verdict.reason
    report = judged(tools, replace(function, source=function.source.replace("LIMIT", "LIMIT + 1")), function)
    assert report.verdict.status == "INCONSISTENT", report.verdict.reason


def test_an_object_that_cannot_be_made_costs_next_to_nothing(tools: Tools, functions: dict[str, Function]) -> None:
    function = functions["Even.half"]
    parameters = inputs.parameters_of(function.prompt, (), function.source, function.place)
    target = codegen.target(function)
    campaign = Campaign(target, parameters, others=(target,) * 5)
    found = tools.fuzzers[0].fuzz(campaign, FuzzBudget(), FakeWatch())
    assert len(found) == FuzzBudget().inputs


@pytest.mark.parametrize(("name", "expected"), [("timed", "INCONSISTENT"), ("weekday", "INCONCLUSIVE")])
def test_a_type_error_everywhere_is_its_own_fault_where_it_is_known_what_it_takes(
    tools: Tools, functions: dict[str, Function], name: str, expected: str
) -> None:
    function = functions[name]
    wrong = replace(function, source=function.source.replace("+ LIMIT", "+ [LIMIT]"))
    assert judged(tools, wrong, function).verdict.status == expected
