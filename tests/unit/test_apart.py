"""Inputs that a function is not meant for: a language model's reading of the docstring, and what it may do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from builders import arguments, evidence, returned
from mpt.inputs import named, question, raising, sort_out
from mpt.source import parse_prompt
from mpt.values import Outcome, Raised, Stopped

TEXT = '''from typing import List


def top(numbers: List[int], k: int = 1) -> List[int]:
    """ Give the k largest numbers.
    numbers is non-empty, and 1 <= k <= len(numbers).
    >>> top([1, 2], 1)
    [2]
    """
'''


def test_the_question_is_a_prompt_of_its_own_with_the_functions_parameters() -> None:
    asked = question(parse_prompt(TEXT, "top"))
    assert asked is not None
    assert asked.entry_point == "precondition"
    assert asked.preamble == "from typing import List\n\n\n"
    assert asked.signature == "def precondition(numbers: List[int], k: int=1) -> bool:\n    "
    assert "1 <= k <= len(numbers)" in asked.description
    compile(asked.text, "question.py", "exec")


@pytest.mark.parametrize(
    "text",
    [
        'def f(x):\n    """\n    >>> f(1)\n    2\n    """\n',
        '@cache\ndef f(x):\n    """Say x."""\n',
        'async def f(x):\n    """Say x."""\n',
    ],
)
def test_there_is_nothing_to_ask(text: str) -> None:
    assert question(parse_prompt(text, "f")) is None


def test_a_docstring_with_quotes_and_backslashes_still_gives_python() -> None:
    asked = question(parse_prompt("def f(x):\n    '''Say \"\"\"x\"\"\" or \\\\n.'''\n", "f"))
    assert asked is not None
    compile(asked.text, "question.py", "exec")


YES, NO = returned(True), returned(False)
EXAMPLE = replace(arguments(2), origin="example")
FOUND = tuple(replace(arguments(number), origin="fuzzed") for number in (3, 4, -5, 6))


def test_what_a_precondition_refuses_is_kept_apart() -> None:
    outcomes: list[Outcome] = [YES, YES, Stopped("time"), Raised("TypeError"), returned(1)]
    sorted_out = sort_out((EXAMPLE, *FOUND), outcomes)
    assert sorted_out.kept == (EXAMPLE, FOUND[0], FOUND[1], FOUND[3])
    assert sorted_out.apart == (FOUND[2],)
    assert sorted_out.distrust == ""


def test_a_precondition_that_refuses_an_example_is_not_believed() -> None:
    sorted_out = sort_out((EXAMPLE, *FOUND), [NO, YES, YES, NO, YES])
    assert (sorted_out.kept, sorted_out.apart) == ((EXAMPLE, *FOUND), ())
    assert sorted_out.distrust == "it refuses an example of the docstring"


def test_a_precondition_that_refuses_most_is_not_believed() -> None:
    sorted_out = sort_out((EXAMPLE, *FOUND), [YES, NO, NO, NO, YES])
    assert sorted_out.kept == (EXAMPLE, *FOUND)
    assert sorted_out.distrust == "it refuses 3 of 4 inputs that were found"


def test_inputs_on_which_most_programs_raise_are_found_examples_aside() -> None:
    oops = Raised("ValueError")
    seen = evidence([1, oops, oops, 1], [1, oops, oops, oops], [1, oops, 3, oops])
    inputs = (EXAMPLE, *FOUND[:3])
    assert raising(replace(seen, inputs=inputs)) == (FOUND[0], FOUND[1], FOUND[2])
    assert raising(replace(seen, inputs=(FOUND[3], EXAMPLE, *FOUND[1:3]))) == (FOUND[1], FOUND[2])


def test_a_few_are_named() -> None:
    assert named("f", FOUND[:2]) == "f(3), f(4)"
    assert named("f", FOUND) == "f(3), f(4), f(-5) and 1 more"
