"""What a language model is told of the module around a function, and what its replies for a method become."""

from __future__ import annotations

import pytest

from mpt import codegen, source
from mpt.source import find_functions
from mpt.source.surroundings import MAX_CHARACTERS
from mpt.values import Function, NoProgram, Origin, Program, Request

MODULE = '''
from __future__ import annotations
import math, secrets
from dataclasses import dataclass
LIMIT = 10
KEY = "sk-not-for-anyone"
TABLE = {
    "long": "%s",
}
@dataclass
class Point:
    x: int
    y: int = 0
    def norm(self) -> float:
        """The length."""
        return math.hypot(self.x, self.y) + 99
def helper(x: int) -> int:
    """Adds the limit."""
    return x + LIMIT + 98
def other():
    return KEY
class Stack:
    """A stack."""
    size: int = 3
    def __init__(self, items: list[int]):
        self.items = items
    def push(self, x: int, p: Point) -> None:
        """Push it."""
        self.items.append(helper(x) * p.x + LIMIT + len(TABLE) + 97)
''' % ("x" * 400)


def function(name: str = "Stack.push", text: str = MODULE) -> Function:
    return next(one for one in find_functions(text) if one.name == name)


def told(context: str) -> str:
    return source.told(function(), context).text


def test_signatures() -> None:
    text = told("signatures")
    for part in (
        *("from __future__ import annotations", "from dataclasses import dataclass", "LIMIT = 10", "TABLE = ..."),
        *("def helper(x: int) -> int:", '"""Adds the limit."""', "class Point:", "y: int = 0", "def norm(self)"),
        *(
            "class Stack:",
            "def __init__(self, items: list[int]):",
            "self.items = items",
            "# push is a method of Stack.",
            '"""Push it."""',
        ),
    ):
        assert part in text
    for part in ("97", "98", "99", "secrets", "KEY", "def other", "return helper"):
        assert part not in text


def test_definitions_hold_bodies_but_never_the_functions_own() -> None:
    text = told("definitions")
    for part in ("+ 98", "+ 99", "self.items = items", "xxxx"):
        assert part in text
    assert "97" not in text
    assert "KEY" not in text


def test_none_tells_the_imports_of_the_signature_alone() -> None:
    assert told("none") == (
        "from __future__ import annotations\n# push is a method of Stack.\n\n"
        'def push(self, x: int, p: Point) -> None:\n    """Push it."""'
    )


def _asked(method: Function) -> Request:
    return codegen.request(source.told(method, "signatures"), 0.2, place=method.place)


def test_the_module_stands_apart_from_what_is_to_be_written() -> None:
    question = _asked(function()).messages[-1].content
    told_of, asked_for = question.split("Can you generate python code for the following function, and for it alone?")
    assert "class Stack:" in told_of
    assert "def push" not in told_of
    assert asked_for.strip().startswith("```python\ndef push(self, x: int, p: Point) -> None:")
    assert "class" not in asked_for


def test_an_unrelated_line_changes_nothing_that_is_told() -> None:
    changed = MODULE.replace("return KEY", "return KEY + '!'").replace("+ 98", "+ 96").replace("+ 97", "+ 95")
    assert source.told(function(text=changed), "signatures") == source.told(function(), "signatures")
    asked = [_asked(function(text=text)) for text in (MODULE, changed)]
    assert asked[0] == asked[1]


def test_no_more_than_fits_and_it_says_so() -> None:
    helpers = "\n".join(f'def h{n}(x):\n    """{"Long. " * 40}"""\n    return x' for n in range(600))
    uses = " + ".join(f"h{n}(x)" for n in range(600))
    text = source.told(function("f", f'{helpers}\ndef f(x):\n    """Do it."""\n    return {uses}\n'), "signatures").text
    assert len(text) < MAX_CHARACTERS + 200
    assert "# …" in text


def test_the_prompt_can_be_reworded() -> None:
    for context in ("none", "signatures", "definitions"):
        reworded = source.reword(source.told(function(), context), ["Put it on top."])
        assert "Put it on top." in reworded.text


@pytest.mark.parametrize(
    "reply",
    [
        "```python\ndef push(self, x, p):\n    self.items.append(x)\n```",
        "```python\nclass Stack:\n    size = 3\n    def push(self, x, p):\n        self.items.append(x)\n```",
        "```python\nclass Stack(Base):\n    def __init__(self, items): ...\n\n    def push(self, x, p):\n"
        "        self.items.append(x)\n```",
    ],
)
def test_a_reply_with_the_method_or_its_class(reply: str) -> None:
    method = function()
    program = codegen.read(reply, source.told(method, "signatures"), Origin("paraphrase"), method.place)
    assert program == Program(
        "def push(self, x, p):\n    self.items.append(x)\n", "push", Origin("paraphrase"), method.place
    )


def test_a_reply_without_the_method() -> None:
    method = function()
    reply = "```python\nclass Stack:\n    def pop(self): return 1\n```"
    assert isinstance(codegen.read(reply, method.prompt, Origin("paraphrase"), method.place), NoProgram)


GREAT = '''
class Great:
    """Great.

    %s
    """
    TABLE = {%s}
    def __init__(self, size):
        """Sets up."""
        self.size = size
        if size:
            self._rows, self.width = [], 3
            self._rows = []
        self.size: int = 0
    def used(self):
        """Used.

        MUCH
        """
        return self._rows
    def f(self):
        """Do it."""
        return self.used()
%s
'''
OTHER = '    def other%d(self, x):\n        """Other.\n\n        MORE\n        """\n'


def great(methods: int, words: int) -> str:
    others = "".join(OTHER % number for number in range(methods))
    module = GREAT % ("words " * words, "1: 2, " * 100, others)
    return source.told(function("Great.f", module), "signatures").text


def test_a_class_is_told_in_as_much_detail_as_fits() -> None:
    small, large, larger, largest = great(2, 10), great(2, 2000), great(110, 10), great(300, 10)
    for text in (small, large, larger, largest):
        assert len(text) < MAX_CHARACTERS + 200
        for part in ("class Great:", "TABLE = ...", "self.size = size", "self._rows = []", "def used(self):", "Do it."):
            assert part in text
        assert "# …" not in text
    assert "MUCH" in small
    assert "MORE" not in small
    assert '"""Other."""' in small
    assert "words words" not in large
    assert '"""Used."""' in large
    assert "other109" in larger
    assert "Used." not in larger
    assert "other" not in largest


PROPERTY = '''
class Box:
    def __init__(self, w: int):
        self.w = w
    @property
    def width(self) -> int:
        """How wide it is."""
        return self.w + 98
    @width.setter
    def width(self, value: int) -> None:
        """Set it."""
        self.w = value + 97
'''


@pytest.mark.parametrize("context", ["signatures", "definitions"])
def test_of_a_property_the_other_parts_are_told(context: str) -> None:
    getter, setter = (one for one in find_functions(PROPERTY) if one.name == "Box.width")
    shown = source.told(setter, context).text
    assert "# width is the setter of a property of Box." in shown
    assert "How wide it is." in shown
    assert shown.count("@width.setter") == 1
    assert "97" not in shown
    shown = source.told(getter, context).text
    assert "@width.setter" in shown
    assert "98" not in shown
