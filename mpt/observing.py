"""Runs → Evidence: all programs on all inputs, the target twice; what it answers differently each time is dropped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from mpt import codegen, inputs
from mpt.equality import Equality, same
from mpt.validation import never_ended
from mpt.values import Arguments, Evidence, Example, ForeignType, NoProgram, Outcome, Program, Raised, Run, Stopped

Runs = Callable[[Sequence[Program], Sequence[Arguments]], tuple[Run, ...]]


class CannotTell(Exception):
    """Why a function cannot be judged: a sentence without full stop."""


def tried(
    target: Program,
    arguments: Sequence[Arguments],
    runs: Runs,
    types: tuple[ForeignType, ...] = (),
    meant: bool = False,
) -> None:
    """Runs the target alone. Raises CannotTell where no other program's answers could tell anything of it.

    meant: do examples show, or annotations tell, all of what it takes? Then a TypeError everywhere is its own fault.
    """
    once, again = runs((target, target), arguments)
    steady = _steady(once.outcomes, again.outcomes, types)
    if not meant:
        _fitting(target, [[once.outcomes[i] for i in steady]])
    reason = never_ended(once.outcomes)
    if reason is not None:
        raise CannotTell(reason)


def gathered(
    programs: Sequence[Program],
    arguments: Sequence[Arguments],
    examples: tuple[Example, ...],
    runs: Runs,
    types: tuple[ForeignType, ...] = (),
    meant: bool = False,
) -> Evidence:
    """What all programs, the target first, do on what the target answers alike each time. Raises CannotTell.

    meant: as for `tried`; then it must be every program that takes none of the inputs.
    """
    target, *others, again = runs((*programs, programs[0]), arguments)
    steady = _steady(target.outcomes, again.outcomes, types)
    rows = tuple(tuple(run.outcomes[i] for i in steady) for run in (target, *others))
    _fitting(programs[0], rows if meant else rows[:1])
    return Evidence(
        tuple(programs),
        tuple(arguments[i] for i in steady),
        rows,
        examples,
        tuple(run.stdout + run.stderr for run in (target, *others)),
    )


def unloadable(programs: Mapping[int, Program], runs: Runs) -> dict[int, NoProgram]:
    """Those that cannot be loaded where they are to run. Each is called once, with nothing."""
    if not programs:
        return {}
    seen = [run.outcomes[0] for run in runs(tuple(programs.values()), [Arguments(())])]
    return {
        n: codegen.unloadable(one, outcome.detail)
        for (n, one), outcome in zip(programs.items(), seen, strict=True)
        if isinstance(outcome, Stopped) and outcome.cause == "load" and not outcome.detail.startswith(_OF_THE_MODULE)
    }


_OF_THE_MODULE = ("its module cannot be imported", "importing its module")


def _steady(once: Sequence[Outcome], again: Sequence[Outcome], types: tuple[ForeignType, ...]) -> list[int]:
    """The inputs that it answers alike. Raises CannotTell where there are none, or it needs files for all of them."""
    counted = Equality(mutation=True, state=True, types=types)
    steady = [i for i, (a, b) in enumerate(zip(once, again, strict=True)) if same(a, b, counted) is not False]
    if not steady:
        raise CannotTell("the function answers differently when it is called twice with the same input")
    if all(_raises(once[i], "FileNotFoundError") for i in steady):
        raise CannotTell("it needs files that are not there: it raises FileNotFoundError on every input")
    return steady


def _fitting(target: Program, rows: Sequence[Sequence[Outcome]]) -> None:
    """Raises CannotTell where none of these takes any of the inputs: they are not what the function is for."""
    seen = [outcome for row in rows for outcome in row]
    if target.place is not None and all(_raises(one, "TypeError", "AttributeError") for one in seen):
        raise CannotTell("no input was found that it takes: it raises TypeError or AttributeError on all of them")


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
