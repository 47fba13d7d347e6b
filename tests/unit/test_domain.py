"""What a function is for: bounds that words set, and preconditions that words and examples suggest."""

from __future__ import annotations

from typing import Any

import pytest

from mpt.inputs import examples_of, parameters_of, precondition_of
from mpt.values import Parameter, Prompt, Segment, Shape


def prompt(signature: str, docstring: str) -> Prompt:
    return Prompt("", f"def {signature}:\n    ", (Segment("description", f'"""{docstring}"""'),), "f")


def shape(signature: str, docstring: str, index: int = 0) -> Shape:
    asked = prompt(signature, docstring)
    found: tuple[Parameter, ...] = parameters_of(asked, examples_of(asked), "")
    return found[index].shape


def bounds(one: Shape) -> tuple[float | None, float | None]:
    return one.low, one.high


@pytest.mark.parametrize(
    ("words", "low", "high"),
    [
        ("Given a positive integer n", 1, None),
        ("For a non-negative integer", 0, None),
        ("Takes a natural number n", 1, None),
        ("1 <= n <= 1000", 1, 1000),
        ("0 ≤ n < 10^3", 0, 999),
        ("1 <= number <= 10**2", 1, 100),
        ("Assume n > 1 and is no prime", 2, None),
        ("the number n is less than 100", None, 99),
        ("You may assume no negative numbers", 0, None),
        ("the sum of digits > 0 counts", None, None),
    ],
)
def test_words_about_a_number(words: str, low: float | None, high: float | None) -> None:
    assert bounds(shape("f(n: int)", words)) == (low, high)


@pytest.mark.parametrize(
    ("words", "low", "high", "member_low"),
    [
        ("Given a non-empty list", 1, 8, None),
        ("It is assumed that the input lists will be non-empty", 1, 8, None),
        ("the list has at least two elements", 2, 8, None),
        ("numbers (of length at least three)", 3, 8, None),
        ("a list of two strings", 2, 2, None),
        ("1 <= len(x) <= 5", 1, 5, None),
        ("1 <= nodes.length <= 10000", 1, 8, None),
        ("0 <= node.value", 0, 8, 0),
        ("an array of non-negative integers", 0, 8, 0),
        ("a list x of positive integers", 0, 8, 1),
        ("return only positive numbers", 0, 8, None),
        ("a non-empty file is written", 1, 8, None),
    ],
)
def test_words_about_a_list(words: str, low: float, high: float, member_low: float | None) -> None:
    found = shape("f(x: list)", words)
    assert (*bounds(found), found.items[0].low) == (low, high, member_low)


def test_words_that_an_example_contradicts_do_not_count() -> None:
    assert shape("f(n: int)", "A positive integer n. f(-3) == 1").low == -100
    assert shape("f(x: list)", "A non-empty list. f([]) == 1").low == 0


def test_words_about_one_of_several_parameters() -> None:
    words = "Given an integer x and a positive integer k. The base is less than 10"
    assert bounds(shape("f(x: int, k: int, base: int)", words, 0)) == (None, None)
    assert bounds(shape("f(x: int, k: int, base: int)", words, 1)) == (1, None)
    assert bounds(shape("f(x: int, k: int, base: int)", words, 2)) == (None, 9)


@pytest.mark.parametrize(
    ("docstring", "kind"),
    [
        ("Joins. f('abc') == 1", "str"),
        ("Consists only of 0 and 1. f('01') == 1", "letters"),
        ("Counts. f('()()') == 1", "letters"),
        ("You may assume the word is always valid. f('abc') == 1", "letters"),
    ],
)
def test_texts_keep_to_the_examples_letters_where_the_words_say_so(docstring: str, kind: str) -> None:
    assert shape("f(s)", docstring).kind == kind


# --- preconditions --------------------------------------------------------------------------------


def condition(signature: str, docstring: str) -> str | None:
    asked = prompt(signature, docstring)
    examples = examples_of(asked)
    found = precondition_of(asked, parameters_of(asked, examples, ""), examples)
    return found.source.splitlines()[-1].removeprefix("    return ") if found else None


@pytest.mark.parametrize(
    ("signature", "docstring", "expected"),
    [
        ("f(a, b)", "Two arrays of equal length. f([1, 2], [3, 4]) == 1, f([1], [2]) == 1", "(len(b) == len(a))"),
        ("f(a, b)", "Length of a is equal to that of b minus one. f([1], [3, 4]) == 1", "(len(b) == len(a) +1)"),
        ("f(a, b)", "Adds. f([1], [1]) == 1, f([], []) == 0, f([2, 3], [4, 5]) == 1", "(len(b) == len(a))"),
        ("f(a, b)", "Adds. f([1], [1]) == 1, f([], []) == 0", None),
        ("f(a, b)", "Of equal length. f([1], [1]) == 1, f([], [2]) == 0", None),
        ("f(arr, k)", "It. 1 <= k <= len(arr). f([1], 1) == 1", "(k <= len(arr))"),
        ("f(arr)", "It contains no duplicates. f([1, 2]) == 1", "(len(set(map(repr, arr))) == len(arr))"),
        ("f(arr)", "Return the unique elements. f([1, 1]) == [1]", None),
        ("f(arr)", "Given a sorted list. f([1, 2]) == 1", "(arr == sorted(arr))"),
        ("f(arr)", "An even number of coefficients. f([1, 2]) == 1", "(len(arr) % 2 == 0)"),
        ("f(g)", "A rectangular grid. f([[1], [2]]) == 1", "(len({len(row) for row in g}) <= 1)"),
        ("f(i)", "It. f((1, 2)) == 1, f((-1, 4)) == 2, f((0, 0)) == 1", "(i[0] <= i[1])"),
        ("f(s)", "Groups. f('(()) ()()') == 1", "(balanced(s))"),
        ("f(s)", "Balanced? f('(())') == True, f('(') == False", None),
        ("f(*a)", "Of equal length. f([1], [1]) == 1", None),
    ],
)  # fmt: skip
def test_preconditions(signature: str, docstring: str, expected: str | None) -> None:
    assert condition(signature, docstring) == expected


def test_a_precondition_is_a_program_that_meets_the_examples() -> None:
    asked = prompt("f(s, *, k=1)", "Groups. f('(()) ()()', k=2) == 1, 0 <= k <= len(s)")
    examples = examples_of(asked)
    found = precondition_of(asked, parameters_of(asked, examples, ""), examples)
    assert found is not None
    names: dict[str, Any] = {}
    exec(found.source, names)
    precondition = names[found.entry_point]
    assert precondition("(()) ()()", k=2)
    assert not precondition("(()", k=2)
    assert not precondition("()", k=3)
