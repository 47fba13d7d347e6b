"""The disagreement a person is shown first: found by a fuzzer, then made small while it still shows the same.

Rule 1: the paraphrase programs that agreed with one another still agree, by returning a value, and not the target's.
Rule 2: the target still returns where it returned, or raises where it raised: else the input is another story.
Rule 3: what the docstring shows as an example is not made smaller: it is what the person wrote.
Rule 4: where there are preconditions they still hold.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mpt.equality import Equality, same
from mpt.shrink import shrink
from mpt.spelling import value_of
from mpt.validation import group
from mpt.values import Answer, Arguments, Disagreement, Evidence, Outcome, Program, Returned

Run = Callable[[Sequence[Program], Sequence[Arguments]], Sequence[Sequence[Outcome]]]
"""Runs each program on each of the arguments: outcomes[p][i]."""
_YES = Returned(value_of(True))


def smallest(
    found: Disagreement, programs: Sequence[Program], domain: Sequence[Program], equality: Equality, run: Run
) -> Disagreement | None:
    """A smaller disagreement of the same kind; None where there is none.

    programs: all, the target first. domain: the preconditions that must go on to hold.
    """
    rival = _rival(found, equality)
    if rival is None or found.arguments.origin == "example":
        return None
    asked = [programs[0], *(programs[p] for p in rival.programs), *domain]
    agreeing = len(rival.programs)

    def still_differs(batch: Sequence[Arguments]) -> list[bool]:
        rows = run(asked, batch)
        return [_shows([row[i] for row in rows], agreeing, found.target, equality) for i in range(len(batch))]

    arguments = shrink(found.arguments, still_differs)
    if arguments == found.arguments:
        return None
    rows = tuple(tuple(row) for row in run(programs, [arguments]))
    seen = Evidence(tuple(programs), (arguments,), rows)
    return Disagreement(arguments, seen.target[0], group(seen, 0, range(1, len(programs)), equality))


def _rival(found: Disagreement, equality: Equality) -> Answer | None:
    """The most frequent value that paraphrase programs returned and that is not the target's."""
    differing = (
        answer
        for answer in found.others
        if isinstance(answer.outcome, Returned) and same(answer.outcome, found.target, equality) is False
    )
    return next(differing, None)


def _shows(outcomes: Sequence[Outcome], agreeing: int, target: Outcome, equality: Equality) -> bool:
    """outcomes: the target's, those of the `agreeing` programs, and the preconditions'."""
    mine, theirs, allowed = outcomes[0], outcomes[1 : 1 + agreeing], outcomes[1 + agreeing :]
    return (
        type(mine) is type(target)
        and all(isinstance(one, Returned) and same(one, theirs[0], equality) for one in theirs)
        and same(mine, theirs[0], equality) is False
        and all(one == _YES or same(one, _YES) for one in allowed)
    )
