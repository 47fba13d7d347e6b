"""The segments of docstrings in the styles people write them in."""

from __future__ import annotations

import pytest

from mpt.source import docstring
from mpt.values import Segment


def pieces(content: str) -> list[tuple[str, str]]:
    """The segments that say something, as (kind's first letter, text)."""
    segments = docstring.split(f'"""{content}"""')
    assert "".join(segment.text for segment in segments) == f'"""{content}"""'
    return [(segment.kind[0], segment.text.strip()) for segment in segments if segment.kind != "other"]


@pytest.mark.parametrize(
    "example",
    [
        ">>> f(1)\n    2",
        ">>> f(\n    ...     1)\n    Traceback (most recent call last):\n    ValueError",
        "f(1) == 2",
        "f(1) = 2",
        "f(1) -> 2",
        "f(1) ==> 2",
        "f(1)=>2",
        "f(1) ➞ 2",
        "f(1) → [2]",
        "f(1) returns 2",
        "f(1) should return 2.",
        "f(1)   # returns 2",
        "* f([]) -> 2",
        "1. f([]) -> 2",
        "- `f([1], k=2)` -> `3`",
        "assert f('(') => ')'",
        "for f(1) == 2",
        "f(')', \"]\") is True",
        "other_name([4.0, 3]) ==> ['A']",
        "f([\n      [1, 2],\n      [3, 4]\n    ], 1) == [(0, 0)]",
        "f(a) => False",
        'For s = "ab", c = "b", the result should be "a"',
        "Input: [4, 2]\n    Output: [2]",
        "Input: n = 5\n    Output: 1\n    Explanation:\n    a = [1, 3]\n    The only one is 1.",
        "Input:\n        grid : [[0, 1]]\n        k : 1\n    Output: 6",
        "f(1) == 2\n    # since 1 + 1 is 2",
        "f(1) == 2\n    Explanation: one and one",
        "f(3) = f(2) + f(1)\n         = 2 + 1 = 3",
        "For example, f(1) returns 2.",
        "例如：f(1) 返回 2。",
        "Zum Beispiel: f(1) == 2",
        "```python\n    f(1)\n    ```",
    ],
)
def test_ways_of_writing_an_example(example: str) -> None:
    assert pieces(f"Do it.\n\n    {example}\n\n    Then stop.") == [
        ("d", "Do it."),
        ("e", example),
        ("d", "Then stop."),
    ]


@pytest.mark.parametrize(
    "example",
    ["arr = [1, 2]", "30 = 2 * 3 * 5", "return []", "return = ['One']", "result = 2 + 3", "ops['+', '*']", "f(1)"],
)
def test_below_a_heading_less_is_needed(example: str) -> None:
    assert pieces(f"Do it.\n\n    Examples:\n    {example}\n") == [("d", "Do it."), ("e", example)]


@pytest.mark.parametrize(
    "prose",
    [
        "f(n) = 1 + n / 2, if n is even",
        "f(n) = 1",
        "return 15 and f(-14.5) should return -15",
        "E.g. (()()) has two levels while ((())) has three",
        "For example, if you are given 3, answer 4",
        "For each of them, say so",
        "Input to this function is a string",
        "Input: a list of numbers",
        "max(a, b) of the two, then",
        "For example, f(1) returns 2 and then goes",
        "求两个数的最大公约数",
        "Gibt die Summe zurück",
    ],
)
def test_what_is_no_example(prose: str) -> None:
    assert pieces(f"Do it: {prose}\n    {prose}\n    on.") == [("d", f"Do it: {prose}\n    {prose}\n    on.")]


def test_the_word_alone_is_prose_even_below_a_heading() -> None:
    assert pieces("Examples:\n    Nothing\n    min, max\n") == [("d", "Nothing\n    min, max")]


@pytest.mark.parametrize(
    "heading",
    ["Example:", "Examples", "For example:", "for examble:", "Example 1:", "EXAMPLE :", "[input/output] samples:",
     "**Note**:", "Note:", "Args:", "Constraints:", "Task", "示例：", "参数：", "戻り値:", "Beispiel:", "-----",
     "* * *",
     "* 1 <= n <= 10", "f(n) == f(n-1) + f(n-2)", "A    |    B", "  > 3.7                A"],
)  # fmt: skip
def test_what_is_kept(heading: str) -> None:
    assert pieces(f"Do it.\n    {heading}\n    Then stop.") == [("d", "Do it."), ("d", "Then stop.")]


def test_paragraphs_are_one_description() -> None:
    assert pieces("\n    Do it.\n\n    - this\n    - that\n    ") == [("d", "Do it.\n\n    - this\n    - that")]


def test_google() -> None:
    content = (
        "Do it.\n\n    Args:\n        a (int): one\n            more\n        *b: two\n    Returns:\n        int: sum\n"
    )
    assert pieces(content) == [("d", "Do it."), ("d", "one\n            more"), ("d", "two"), ("d", "sum")]


def test_numpy() -> None:
    content = (
        "Do it.\n\n    Parameters\n    ----------\n    a, b : int\n        The numbers.\n\n"
        "    Returns\n    -------\n    int\n        The sum.\n    "
    )
    assert pieces(content) == [("d", "Do it."), ("d", "The numbers."), ("d", "The sum.")]


def test_sphinx() -> None:
    content = "Do it.\n\n    :param int a: one\n    :returns: two\n    @see : three\n    "
    assert pieces(content) == [("d", "Do it."), ("d", "one"), ("d", "two"), ("d", "three")]


def test_a_literal_block_is_kept() -> None:
    assert pieces("Use it so::\n\n        x = f(y)\n\n        z\n\n    Done.") == [("d", "Use it so::"), ("d", "Done.")]


def test_a_description_on_the_quotes_line_and_one_after_the_examples() -> None:
    segments = docstring.split('r"""Do it.\n    >>> f(1)\n    2\n\n    Only then.\n    """')
    assert segments == (
        Segment("other", 'r"""'),
        Segment("description", "Do it."),
        Segment("other", "\n"),
        Segment("example", "    >>> f(1)\n    2"),
        Segment("other", "\n\n    "),
        Segment("description", "Only then."),
        Segment("other", '\n    """'),
    )


@pytest.mark.parametrize("text", ["b'a'", "f'a'", "'a' 'b'", "'''a''' '''b'''", "'a\"", "'", "x", "rb'a'", "'a'.b"])
def test_what_is_not_one_plain_literal(text: str) -> None:
    assert docstring.literal(text) is None
    assert docstring.split(text) == (Segment("other", text),)


@pytest.mark.parametrize("text", ["''", '""""""', "'a\\'b'", '"""a"b""c\\"""d"""', "U'a'", "'a\\\\'"])
def test_what_is(text: str) -> None:
    found = docstring.literal(text)
    assert found is not None
    assert found.opening + found.content + found.closing == text
