"""What a docstring shows of a function in its module, and where what stands below a call is its answer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mpt.inputs import examples_of
from mpt.source import find_functions
from mpt.spelling import call, literal

CLASSES = """
class Base:
    def __init__(self, items: list[int], *, name="s"): ...
class Stack(Base):
    class Inner: ...
"""


def answers(module: str, function: str, doctests: str) -> dict[str, str | None]:
    """What each call that a docstring shows of the function gives or raises, None where that is left open."""
    head, _, body = function.partition(":\n")
    margin = body[: -len(body.lstrip())]
    indented = doctests.strip().replace("\n", f"\n{margin}")
    text = f'{module}{head}:\n{margin}"""Do it.\n\n{margin}{indented}\n{margin}"""\n{body}'
    found = next(one for one in find_functions(text) if one.prompt.segments)
    shown = examples_of(found.prompt, replace(found.place, module=replace(found.place.module, name="pkg.m")))
    return {call("f", one.arguments): one.raises or (literal(one.expected) if one.expected else None) for one in shown}


METHOD = "    def f(self, x=0):\n        return self.items + x\n"


def test_what_a_docstring_shows_of_a_method_says_what_comes_back() -> None:
    doctests = """
>>> s = Stack([1])
>>> s.f(2)
[1, 2]
>>> s.f([])
Traceback (most recent call last):
    ...
pkg.Wrong: two
lines
>>> list(s.f(3))
[3]
>>> s.f(4)
[4]
>>> Stack([5]).f(6)
6
>>> Stack([7]).f(8), s.f(9)
(8, 9)
>>> Stack([10]).f(11)
<Stack of 11>
"""
    changed = "(lambda _: (_.f(2), _)[1])(Stack([1]))"
    assert answers(CLASSES, METHOD, doctests) == {
        "f(Stack([1]), 2)": "[1, 2]",
        f"f({changed}, [])": "Wrong",
        f"f((lambda _: (_.f([]), _)[1])({changed}), 3)": "[3]",
        f"f((lambda _: (_.f([]), _)[1])({changed}), 4)": None,  # `list` may have changed it
        "f(Stack([5]), 6)": "6",
        "f(Stack([7]), 8)": None,
        f"f((lambda _: (_.f(4), _)[1])((lambda _: (_.f([]), _)[1])({changed})), 9)": None,
        "f(Stack([10]), 11)": None,
    }


FUNCTION = "LIMIT = Stack\ndef f(x, y=0):\n    return LIMIT, x\n"


@pytest.mark.parametrize(
    ("function", "doctests"),
    [
        (METHOD, ">>> s = Stack([1, 2])\n>>> x = s.pop()\n>>> s.f()\n1"),
        (METHOD, ">>> s = Stack([1, 2])\n>>> print(s.f())\n1\n>>> s.f()\n1"),
        (METHOD, ">>> s = Stack([1, 2])\n>>> s.f() == 2\nTrue\n>>> s.f()\n1"),
        (METHOD, ">>> a = Stack([1])\n>>> b = Stack(a)\n>>> a.f()\n1"),
        (METHOD, ">>> a = Stack([1])\n>>> b = a\n>>> b.push(1)\n>>> a.f()\n1"),
        (METHOD, ">>> a = Stack([1])\n>>> a.items.append(1)\n>>> a.f()\n1"),
        (METHOD, ">>> a = Stack([1])\n>>> fill(a)\n>>> a.f()\n1"),
        (METHOD, ">>> a = Stack([1])\n>>> [a.items.append(i) for i in (1, 2)]\n[None, None]\n>>> a.f()\n1"),
        (METHOD, ">>> conf = {1: 2}\n>>> conf.f(1)\n2"),
        (METHOD, ">>> conf = dict(a=1)\n>>> conf.f(1)\n2"),
        (METHOD, ">>> Stack.f(Stack([1]), 2)\n2"),
        (METHOD, ">>> Stack([1]).f(1, 2, 3)\n2"),
        (METHOD, ">>> Stack([1]).f(1)  # doctest: +SKIP\n2"),
        (METHOD, ">>> Stack([1]).f(1)  # doctest: +ELLIPSIS\n'a ... b'"),
        (METHOD, ">>> Stack([1]).f(1)\n3\n1"),
        (METHOD, ">>> Stack([1]).f(1)"),
        (METHOD, ">>> set_mode('hex')\n>>> Stack([1]).f(1)\n3"),
        (METHOD, ">>> print(x := 5)\n5\n>>> Stack([1]).f(1)\n3"),
        (METHOD, ">>> Stack([1]).f(_)\n3"),
        (METHOD, ">>> def key(x): return x\n>>> Stack([1]).f(key)\n3"),
        (FUNCTION, ">>> h = []\n>>> heapq.heappush(h, 1)\n>>> f(h)\n1"),
        (FUNCTION, ">>> xs = Stack([3, 1])\n>>> add(xs)\n>>> f(xs)\n1"),
        (FUNCTION, ">>> '-'.f([Stack])\n'a-b'"),
        (FUNCTION, ">>> other.f([Stack])\n'a-b'"),
        (FUNCTION, ">>> import numpy as np\n>>> np.f([Stack])\n'a-b'"),
        (FUNCTION, ">>> input, n = [Stack], 3\n>>> f(input)\n2"),
    ],
)
def test_where_something_may_have_come_between_no_answer_is_told(function: str, doctests: str) -> None:
    found = list(answers(CLASSES, function, doctests).values())
    assert found[-1:] in ([None], [])


@pytest.mark.parametrize(
    ("function", "doctests", "answer"),
    [
        (METHOD, ">>> base = [1]\n>>> a = Stack(base)\n>>> a.f()\n1", "1"),
        (METHOD, ">>> from pkg import Stack as S\n>>> S([1]).f()\n1", "1"),
        (METHOD, ">>> n = 3\n>>> Stack([n]).f(n)\n1\n>>> Stack([n]).f(n)\n1", "1"),
        (FUNCTION, ">>> import pkg\n>>> pkg.f(Stack)\n'a'", "'a'"),
        (FUNCTION, ">>> import pkg.m as pm\n>>> pm.f(Stack)\n'a'", "'a'"),
        (FUNCTION, ">>> pkg.f(Stack)\n'a'", "'a'"),
        (FUNCTION, ">>> list(f(Stack))\n['a']", "['a']"),
    ],
)
def test_where_nothing_can_have_come_between_the_answer_is_told(function: str, doctests: str, answer: str) -> None:
    assert list(answers(CLASSES, function, doctests).values())[-1] == answer


def test_a_function_that_prints_shows_no_answers() -> None:
    doctests = ">>> Stack([1]).f(2)\n3"
    assert answers(CLASSES, METHOD, doctests) == {"f(Stack([1]), 2)": "3"}
    [_, found] = find_functions(f'{CLASSES}    def f(self, x):\n        """Do it.\n\n        {doctests}\n        """\n')
    assert [one.expected for one in examples_of(found.prompt, found.place, "def f(self, x):\n    print(x)")] == [None]


def test_an_input_with_two_answers_has_none_whatever_a_third_says() -> None:
    doctests = ">>> Stack([1]).f(2)\n3\n>>> Stack([1]).f(2)\n4\n>>> Stack([1]).f(2)\n5"
    assert answers(CLASSES, METHOD, doctests) == {"f(Stack([1]), 2)": None}
