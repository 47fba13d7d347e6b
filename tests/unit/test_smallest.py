"""The disagreement shown first is as small as it can be, and still the same disagreement."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from builders import arguments, outcome, program, returned
from mpt.equality import DEFAULT
from mpt.smallest import smallest
from mpt.validation import group
from mpt.values import Arguments, Disagreement, Evidence, Outcome, Program

Answers = Callable[[int, int], object]
"""(number of the program, the one argument) → what it answers; -1 is the precondition."""
DOMAIN = Program("precondition", "precondition", program().origin)


def _number(one: Program) -> int:
    return -1 if one is DOMAIN else one.origin.paraphrase


def _smallest(answers: Answers, at: int, domain: Sequence[Program] = (), origin: str = "fuzzed") -> Disagreement | None:
    programs = tuple(program(number=number) for number in range(6))

    def run(asked: Sequence[Program], batch: Sequence[Arguments]) -> list[list[Outcome]]:
        values = [int(given.positional[0].wire) for given in batch]
        return [[outcome(answers(_number(one), value)) for value in values] for one in asked]

    given = Arguments(arguments(at).positional, origin=origin)  # type: ignore[arg-type]
    seen = Evidence(programs, (given,), tuple(map(tuple, run(programs, [given]))))
    found = Disagreement(given, seen.target[0], group(seen, 0, range(1, 6), DEFAULT))
    return smallest(found, programs, domain, DEFAULT, run)


def _beyond_ten(number: int, value: int) -> object:
    """From 10 on the target is wrong; program 5 always agrees with it."""
    return value + 1 if value >= 10 and number in (0, 5) else value


def test_the_smallest_input_that_still_shows_it() -> None:
    found = _smallest(_beyond_ten, 987)
    assert found is not None
    assert found.arguments == arguments(10)
    assert found.target == returned(11)
    assert [(answer.outcome, answer.programs) for answer in found.others] == [
        (returned(10), (1, 2, 3, 4)),
        (returned(11), (5,)),
    ]


def test_an_example_stays_as_the_person_wrote_it() -> None:
    assert _smallest(_beyond_ten, 987, origin="example") is None


def test_the_precondition_still_holds() -> None:
    found = _smallest(lambda number, value: value > 40 if number == -1 else _beyond_ten(number, value), 987, [DOMAIN])
    assert found is not None
    assert found.arguments == arguments(41)


@pytest.mark.parametrize("below", [ValueError, "stopped", "opaque", "scatter"])
def test_another_story_is_not_followed(below: object) -> None:
    """Below 50 the target raises, stops or cannot be carried, or the programs no longer agree."""

    def answers(number: int, value: int) -> object:
        if value >= 50:
            return _beyond_ten(number, value)
        return number if below == "scatter" else below if number == 0 else value

    found = _smallest(answers, 987)
    assert found is not None
    assert found.arguments == arguments(50)


def test_programs_that_only_raise_are_no_rival() -> None:
    assert _smallest(lambda number, value: ValueError if number else value, 987) is None


def test_what_is_smallest_already_stays() -> None:
    assert _smallest(lambda number, value: value + (number == 0), 0) is None
