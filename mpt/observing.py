"""Runs → Evidence: all programs on all inputs, the target twice; what it answers differently each time is dropped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from mpt import inputs
from mpt.equality import Equality, same
from mpt.validation import never_ended
from mpt.values import Arguments, Evidence, Example, ForeignType, Outcome, Program, Raised, Run

Runs = Callable[[Sequence[Program], Sequence[Arguments]], tuple[Run, ...]]


class CannotTell(Exception):
    """Why a function cannot be judged: a sentence without full stop."""


def tried(target: Program, arguments: Sequence[Arguments], runs: Runs, types: tuple[ForeignType, ...] = ()) -> None:
    """Runs the target alone. Raises CannotTell where no other program's answers could tell anything of it."""
    once, again = runs((target, target), arguments)
    _steady(target, once.outcomes, again.outcomes, types)
    reason = never_ended(once.outcomes)
    if reason is not None:
        raise CannotTell(reason)


def gathered(
    programs: Sequence[Program],
    arguments: Sequence[Arguments],
    examples: tuple[Example, ...],
    runs: Runs,
    types: tuple[ForeignType, ...] = (),
) -> Evidence:
    """What all programs, the target first, do on what the target answers alike each time. Raises CannotTell."""
    target, *others, again = runs((*programs, programs[0]), arguments)
    steady = _steady(programs[0], target.outcomes, again.outcomes, types)
    return Evidence(
        tuple(programs),
        tuple(arguments[i] for i in steady),
        tuple(tuple(run.outcomes[i] for i in steady) for run in (target, *others)),
        examples,
        tuple(run.stdout + run.stderr for run in (target, *others)),
    )


def _steady(
    target: Program, once: Sequence[Outcome], again: Sequence[Outcome], types: tuple[ForeignType, ...]
) -> list[int]:
    """The inputs that it answers alike. Raises CannotTell where there are none, or it takes none of them."""
    counted = Equality(mutation=True, state=True, types=types)
    steady = [i for i, (a, b) in enumerate(zip(once, again, strict=True)) if same(a, b, counted) is not False]
    if not steady:
        raise CannotTell("the function answers differently when it is called twice with the same input")
    if target.place is not None and all(_raises(once[i], "TypeError", "AttributeError") for i in steady):
        raise CannotTell("no input was found that it takes: it raises TypeError or AttributeError on all of them")
    if all(_raises(once[i], "FileNotFoundError") for i in steady):
        raise CannotTell("it needs files that are not there: it raises FileNotFoundError on every input")
    return steady


def _raises(seen: Outcome, *names: str) -> bool:
    return isinstance(seen, Raised) and seen.type_name in names


def notes(evidence: Evidence, given: int, min_programs: int) -> Iterator[str]:
    """What the person should know of it, a sentence each. given: how many inputs it was run on."""
    total = len(evidence.inputs)
    if given > total:
        yield f"{given - total} inputs dropped: the function answers them differently when called twice"
    compared = sum(_compared(evidence, i) >= min_programs for i in range(total))
    if 2 * compared <= total:
        yield f"only {compared} of {total} inputs could be compared: on the others too many programs gave no answer"
    raising = inputs.raising(evidence)
    if raising:
        shown = inputs.named(evidence.programs[0].entry_point, raising)
        yield f"most programs raise on {len(raising)} inputs, which it may not be meant for: {shown}"


def _compared(evidence: Evidence, i: int) -> int:
    """How many paraphrase programs can be compared with the target on input `i`."""
    return sum(same(evidence.target[i], row[i]) is not None for row in evidence.others)
