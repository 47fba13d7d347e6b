"""How alike texts and programs are."""

from __future__ import annotations

import pytest

from mpt import similarity


@pytest.mark.parametrize(
    ("one", "near", "far"),
    [
        ("Return the sum of the list.", "Return the total of the list.", "Is it a palindrome?"),
        ("返回列表中所有数字的总和。", "返回列表里全部数字的和。", "判断字符串是否为回文。"),
        ("リストの合計を返します。", "リストの合計値を返す。", "回文かどうか。"),
        ("Gib die Summe der Liste zurück.", "Gib die Gesamtsumme der Liste aus.", "Ist es ein Palindrom?"),
    ],
)
def test_nearer_texts_are_more_alike_in_any_language(one: str, near: str, far: str) -> None:
    assert 1 > similarity.of_texts(one, near) > similarity.of_texts(one, far)


def test_case_and_white_space_do_not_count() -> None:
    assert similarity.of_texts("Return\n    the sum", "return the SUM ") == 1


@pytest.mark.parametrize(("one", "other", "alike"), [("", "", 1), ("a", "a", 1), ("a", "b", 0), ("a", "", 0)])
def test_short_texts(one: str, other: str, alike: float) -> None:
    assert similarity.of_texts(one, other) == alike


LOOP = "def f(xs):\n    total = 0\n    for x in xs:\n        total += x\n    return total\n"


def test_names_docstrings_and_comments_of_a_program_do_not_count() -> None:
    renamed = LOOP.replace("total", "t").replace("xs", "numbers").replace("x in", "n in").replace("+= x", "+= n")
    told = renamed.replace(":\n    t =", ':\n    """Sum."""\n    # sum\n    t =')
    assert similarity.of_programs(LOOP, told) == 1


def test_another_program_is_less_alike_than_a_changed_one() -> None:
    changed = LOOP.replace("0", "1")
    other = "def f(xs):\n    return sum(xs)\n"
    assert 1 > similarity.of_programs(LOOP, changed) > similarity.of_programs(LOOP, other) > 0


def test_swapped_names_are_a_difference() -> None:
    assert similarity.of_programs("def f(a, b):\n    return a - b\n", "def f(a, b):\n    return b - a\n") < 1


def test_what_does_not_parse_is_compared_as_text() -> None:
    assert similarity.of_programs("def f(:", "def f(:") == 1
    assert similarity.of_programs("def f(:", LOOP) < 0.5
