"""Inputs that the function is not meant for: kept apart, and named in the report.

Rule 1: a precondition that a language model read only sets aside what was found; the docstring's examples stay.
Rule 2: one that refuses an example, or most of what was found, has misread and is not believed.
Rule 3: where most programs raise, the input may lie outside of what the function is for: that is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mpt.spelling import call
from mpt.values import Arguments, Evidence, Outcome, Raised, Returned

MOST = 0.5
"""Of the inputs found, a precondition that refuses a larger share has misread."""
_NAMED = 3
"""So many inputs are named, the rest counted."""
_NO = ("false", "null", "0", "0.0", '""', "[]")


@dataclass(frozen=True, slots=True)
class Sorted:
    """What a precondition makes of the inputs. distrust: why it is not believed, a clause; then nothing is apart."""

    kept: tuple[Arguments, ...]
    apart: tuple[Arguments, ...] = ()
    distrust: str = ""


def sort_out(inputs: Sequence[Arguments], outcomes: Sequence[Outcome]) -> Sorted:
    """outcomes: the precondition's, one an input. Inputs of origin "example" are the docstring's own."""
    refused = [one for one, outcome in zip(inputs, outcomes, strict=True) if _refuses(outcome)]
    found = sum(one.origin != "example" for one in inputs)
    if any(one.origin == "example" for one in refused):
        return Sorted(tuple(inputs), distrust="it refuses an example of the docstring")
    if len(refused) > MOST * found:
        return Sorted(tuple(inputs), distrust=f"it refuses {len(refused)} of {found} inputs that were found")
    return Sorted(tuple(one for one in inputs if one not in refused), tuple(refused))


def _refuses(outcome: Outcome) -> bool:
    """What did not end by itself refuses nothing."""
    return isinstance(outcome, Raised) or (isinstance(outcome, Returned) and outcome.value.wire in _NO)


def raising(evidence: Evidence) -> tuple[Arguments, ...]:
    """The inputs found on which more than half of all programs raise."""
    return tuple(
        arguments
        for i, arguments in enumerate(evidence.inputs)
        if arguments.origin != "example"
        and 2 * sum(isinstance(row[i], Raised) for row in evidence.outcomes) > len(evidence.outcomes)
    )


def named(entry_point: str, inputs: Sequence[Arguments]) -> str:
    """The first few, as calls: `f(-1), f([]) and 2 more`."""
    shown = ", ".join(call(entry_point, one) for one in inputs[:_NAMED])
    return shown + (f" and {len(inputs) - _NAMED} more" if len(inputs) > _NAMED else "")
