"""Every kind of function: copies of it agree with it, and copies of the original find a change of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

import judging
from interpreters import installed
from judging import tools_on
from mpt.ports import Tools
from mpt.reporting import lines
from mpt.source import find_functions
from mpt.values import Function

DOCUMENT = Path(__file__).with_name("documents") / "kinds.py"
FUNCTIONS = {
    f"{one.name}{'*' * one.ordinal}": one
    for one in find_functions(DOCUMENT.read_text(), str(DOCUMENT))
    if one.prompt.segments
}


NEWER = '''
LIMIT = 3
class Stack[T]:
    def __init__(self, items: list[T]) -> None:
        self.items = list(items)
    def push(self, x: T) -> None:
        """Put it on top."""
        self.items.append((x, 0 + LIMIT))
def first[T](x: T, n: int) -> tuple[T, int]:
    """x, and n and the limit."""
    return x, n + LIMIT
def matched(x: list[int]) -> str:
    """What kind of list it is."""
    match x:
        case []:
            return f"none {f"{0 + LIMIT}"}"
        case [a, *rest]:
            return f"{a} {rest!r}" + str(0 + LIMIT)
'''


judged = partial(judging.judged, executions=200)


@pytest.fixture(scope="module")
def tools() -> Iterator[Tools]:
    yield from tools_on()


def changed(function: Function) -> Function:
    assert "LIMIT" in function.source
    return replace(function, source=function.source.replace("LIMIT", "LIMIT + 1"))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_copies_agree_and_a_change_is_found(tools: Tools, name: str) -> None:
    function = FUNCTIONS[name]
    report = judged(tools, function, function)
    assert report.verdict.status == "CONSISTENT", report.verdict.reason
    assert not any("dropped" in note for note in report.notes)
    report = judged(tools, changed(function), function)
    assert report.verdict.status == "INCONSISTENT", report.verdict.reason


def test_what_newer_pythons_know_is_judged_on_them(tools: Tools) -> None:
    for tools in tools_on(installed("3.13")):
        for function in find_functions(NEWER):
            if function.prompt.segments:
                assert judged(tools, function, function).verdict.status == "CONSISTENT"
                assert judged(tools, changed(function), function).verdict.status == "INCONSISTENT"


def test_what_is_left_behind_is_shown_where_the_answers_look_alike(tools: Tools) -> None:
    for name, shown in (("Box.width*", "leaving <Box(h="), ("count", "COUNT="), ("Box.noted", "Box.made=")):
        report = judged(tools, changed(FUNCTIONS[name]), FUNCTIONS[name])
        assert shown in lines.shown_target(report.verdict.disagreements[0])
        assert shown in lines.shown_answers(report.verdict.disagreements[0])


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("print(x + LIMIT)", "on every input it returns None and changes nothing"),
        ("LOCK.acquire(timeout=LIMIT)\n    LOCK.release()", "on every input it returns None and changes nothing"),
        ("with open(x) as f:\n        return f.read(), LIMIT", "it needs files that are not there"),
    ],
)
def test_what_shows_nothing_is_inconclusive(tools: Tools, body: str, why: str) -> None:
    text = f'import threading\nLIMIT = 3\nLOCK = threading.Lock()\ndef f(x: int):\n    """Do it."""\n    {body}\n'
    [function] = find_functions(text.replace("x: int", "x: str" if "open" in body else "x: int"))
    report = judged(tools, changed(function), function)
    assert report.verdict.status == "INCONCLUSIVE"
    assert report.verdict.reason.startswith(why)


def test_what_the_docstring_shows_of_a_method_is_an_oracle(tools: Tools) -> None:
    text = """class Box:
    def __init__(self, n: int):
        self.n = n
    def more(self, x: int) -> int:
        '''n and x together.

        >>> box = Box(1)
        >>> box.more(2)
        3
        '''
        return self.n + x
"""
    [_, right] = find_functions(text)
    [_, wrong] = find_functions(text.replace("n + x", "n - x"))
    found = judged(tools, wrong, right).verdict
    assert (found.status, found.reason.partition(":")[0]) == ("INCONSISTENT", "contradicts an example of its docstring")
    found = judged(tools, right, wrong).verdict
    assert (found.status, found.reason.partition(" of the")[0]) == (
        "INCONCLUSIVE",
        "every paraphrase program contradicts an example",
    )


STACK = """class Stack:
    def __init__(self):
        self._items = []
    def push(self, x: int) -> None:
        '''Put x on top.'''
        self._items.append(x)
    def pop(self) -> int:
        '''Take the topmost item off and return it. Of an empty stack: raise IndexError.'''
        return self._items.pop()
    def peek(self) -> int:
        '''The topmost item.'''
        return self._items[-1]
    def size(self) -> int:
        '''How many items there are.'''
        return len(self._items)
"""


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("append(x)", "insert(0, x)"),
        ("pop()", "pop(0)"),
        ("_items[-1]", "_items[0]"),
        ("len(self._items)", "0"),
    ],
)
def test_an_object_is_judged_as_its_other_methods_leave_it_too(tools: Tools, right: str, wrong: str) -> None:
    functions = zip(find_functions(STACK), find_functions(STACK.replace(right, wrong)), strict=True)
    [(good, bad)] = [(one, other) for one, other in functions if one.source != other.source]
    assert judged(tools, good, good).verdict.status == "CONSISTENT"
    assert judged(tools, bad, good).verdict.status == "INCONSISTENT"


def test_a_memory_of_earlier_answers_is_no_answer(tools: Tools) -> None:
    text = "LIMIT = 3\n_KEPT = {}\n" + 'def f(x: int) -> int:\n    """More by the limit."""\n    '
    [plain] = find_functions(text + "return x + LIMIT\n")
    [keeping] = find_functions(text + "return _KEPT.setdefault(x, x + LIMIT)\n")
    assert judged(tools, keeping, plain).verdict.status == "CONSISTENT"


def test_one_signature_of_an_overloaded_function_is_not_judged() -> None:
    text = 'from typing import overload\n@overload\ndef f(x: int) -> int:\n    """Do it."""\n'
    [function] = find_functions(text)
    assert function.obstacle is not None
    assert function.obstacle.startswith("it is one signature of an overloaded function")
