"""The calls a docstring shows, in each way people write them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mpt.evaluation.prompts import read_tasks
from mpt.inputs import examples_of, parameters_of
from mpt.source import parse_prompt
from mpt.spelling import call, literal
from mpt.values import Prompt, Segment

Read = list[tuple[str, str | None]]


def read(signature: str, docstring: str, name: str = "f") -> Read:
    """Each example as (call, expected literal, "!Name" for an exception or None)."""
    prompt = Prompt("", f"def {signature}:\n    ", (Segment("description", docstring),), name)
    return [
        (call(name, e.arguments), f"!{e.raises}" if e.raises else literal(e.expected) if e.expected else None)
        for e in examples_of(prompt)
    ]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("f(1) == 2", "2"),
        ("f(1) = 2", "2"),
        ("f(1) -> 2", "2"),
        ("f(1) --> 2", "2"),
        ("f(1) ->2", "2"),
        ("f(1) => 2", "2"),
        ("f(1) ==> 2", "2"),
        ("f(1) ➞ 2", "2"),
        ("f(1) → [2, 'x']", "[2, 'x']"),
        ("f(1) returns 2", "2"),
        ("f(1) should return 2.", "2"),
        ("f(1) should\n    return 2 and that is all", "2"),
        ("f(1)   # returns -2.5", "-2.5"),
        ("f(1) # => 'Yes' (because)", "'Yes'"),
        ("* f(1) -> [11, 4]", "[11, 4]"),
        ("assert f(1) == True", "True"),
        ("f(1) => false", "False"),
        ("f(1) is null", "None"),
        ("f(1) == 1 + 9 + 0 = 10", "10"),
        ("f(1) -> 19 - 5 - 6 = 8", "8"),
        ("f(1) == 10**9", None),
        ("f(1) == {1: (2,), 'a': set()}", "{1: (2,), 'a': set()}"),
        ("f(1) == float('nan')", "float('nan')"),
        ("f(1) = g(2) + 3", None),
        ('f(1) == ""broken"', None),
        ("f(1) ==> ('Venus')", None),
        ("f(1) is what you call", None),
    ],
)
def test_a_call_in_prose(said: str, expected: str | None) -> None:
    assert read("f(x)", f'"""Does it.\n    {said}\n    """') == [("f(1)", expected)]


def test_doctests() -> None:
    docstring = '''"""Doubles.

    >>> f(2)
    4
    >>> f([1,
    ...    2])
    [1, 2,
     1, 2]
    >>> f('a') == 'aa'
    >>> f('b') == 'bb'
    True
    >>> f('c') == 'c'
    False
    >>> f(None)
    Traceback (most recent call last):
        ...
    mod.BadThing: no
    >>> round(f(0.1), 2)
    0.2
    """'''
    assert read("f(x)", docstring) == [
        ("f(2)", "4"),
        ("f([1, 2])", "[1, 2, 1, 2]"),
        ("f('a')", "'aa'"),
        ("f('b')", "'bb'"),
        ("f('c')", None),
        ("f(None)", "!BadThing"),
        ("f(0.1)", None),
    ]


def test_a_doctest_that_assigns_or_prints_shows_no_value() -> None:
    docstring = (
        '"""Doubles.\n    >>> y = f(1)\n    >>> print(f(2))\n    4\n    >>> [f(i) for i in [1]]\n    [2]\n    """'
    )
    assert read("f(x)", docstring) == []


def test_a_doctest_that_shows_nothing_means_none_only_where_the_docstring_says_none() -> None:
    assert read("f(x)", '"""None for 1.\n    >>> f(1)\n\n    """') == [("f(1)", "None")]
    assert read("f(x)", '"""Unfinished.\n    >>> f(1)\n\n    """') == [("f(1)", None)]


def test_backslashes_are_the_authors() -> None:
    assert read("f(x)", '"""Text.\n    >>> f("a\\nb")\n    "a\\\\nb"\n    """') == [("f('a\\nb')", "'a\\nb'")]
    assert read("f(x)", 'r"""Text.\n    >>> f("a\\\\nb")\n    1\n    """') == [("f('a\\\\nb')", "1")]


@pytest.mark.parametrize(
    ("docstring", "expected"),
    [
        ("Example 1:\n    Input: [4,2,3]\n    Output: [2, 1]", ("f([4, 2, 3], 1)", None)),
        ("Input: x = [4], k = 3\n    Output: 24 # sum", ("f([4], 3)", "24")),
        ("Input: \n        x : [[0,1]]\n        bucket : 2\n    Output: 6", ("f([[0, 1]], 2)", "6")),
        ('For x = "AB", k = 1 the output should be 1.', ("f('AB', 1)", "1")),
        ("For x = 1, k = 2 the sum will be 1 the output should be '1'.", ("f(1, 2)", "'1'")),
        ("If x = 1 and k = 2, it returns 3", ("f(1, 2)", "3")),
        ("x['+', '*']\n    k = 2\n    result = 2 + 3 * 4\n    => result = 9", ("f(['+', '*'], 2)", "9")),
    ],
)
def test_arguments_by_themselves(docstring: str, expected: tuple[str, str | None]) -> None:
    signature = "f(x, k)" if expected[1] else "f(x, k=1)"
    found = read(signature, f'"""It.\n    {docstring}\n    """')
    assert found == ([expected] if expected[1] else [("f([4, 2, 3])", "[2, 1]")])


def test_keywords_are_kept_and_calls_that_do_not_fit_are_left_out() -> None:
    docstring = '"""f(1, key="a") == 2, f(1, 2, 3) == 4, f() == 0, f(1, other=2) == 3, f(*[1]) == 1, f(x) == 9"""'
    assert read("f(x, *, key='')", docstring) == [("f(1, key='a')", "2")]


def test_bare_words_are_strings_only_where_nothing_else_is_shown() -> None:
    assert read("f(s)", '"""f(aab) => False, f(s) => True"""') == [("f('aab')", "False")]
    assert read("f(s)", '"""f(aab) => False, f("x") => True"""') == [("f('x')", "True")]


def test_another_name_counts_where_the_docstring_never_uses_ours() -> None:
    docstring = '"""Sorts.\n    Example:\n    assert list_sort(["b", "a"]) => ["a", "b"]\n    """'
    assert read("f(lst)", docstring) == [("f(['b', 'a'])", "['a', 'b']")]


def test_an_input_with_two_answers_is_left_open() -> None:
    assert read("f(x)", '"""f(1) == 2, f(2) == 2, f(1) == 3"""') == [("f(1)", None), ("f(2)", "2")]


@pytest.mark.parametrize(
    "docstring",
    ["", '"""Nothing."""', '"""f("""', '"""f(1"""', '"""f((((((1"""', '""">>> f(\n"""', '"""f(1)) == 2]"""',
     '""">>> f(' + "[" * 3000 + "]" * 3000 + ')"""', '"""f(\'\\d\') == \x00"""', '"""f(10**10**10) == 1"""'],
)  # fmt: skip
def test_what_cannot_be_read_is_skipped(docstring: str) -> None:
    assert all(expected is None for _, expected in read("f(x)", docstring))


def test_a_signature_that_does_not_parse_has_no_examples() -> None:
    assert read("f(x", '"""f(1) == 2"""') == []


def test_humaneval_examples_are_those_checked_by_hand_and_all_prompts_are_read() -> None:
    file = Path(__file__).parent.parent / "fixtures" / "humaneval_even_examples.json"
    by_hand = json.loads(file.read_text(encoding="utf-8"))  # the even tasks; None: what comes back is not said plainly
    shown = 0
    for task in read_tasks().values():
        prompt = parse_prompt(task.prompt, task.entry_point)
        examples = examples_of(prompt)
        shown += bool(examples)
        assert parameters_of(prompt, examples, task.prompt)
        if task.task_id in by_hand:
            seen = [
                [call(task.entry_point, e.arguments), literal(e.expected) if e.expected else None] for e in examples
            ]
            assert seen == by_hand[task.task_id], task.task_id
    assert shown == 160
