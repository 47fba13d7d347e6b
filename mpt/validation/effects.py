"""Is there anything to be seen of what a function does? One that only acts, where nothing shows, was not compared."""

from __future__ import annotations

from mpt.values import Arguments, Evidence, Outcome, Returned

_NONE = "null"


def nothing_seen(evidence: Evidence) -> bool:
    """Does the target return None on every input and leave everything as it was, so that its outcomes tell nothing?

    What it prints is seen where all programs print the same.
    """
    pairs = zip(evidence.target, evidence.inputs, strict=True)
    same_print = len(set(evidence.printed)) == 1 and any(evidence.printed)
    return not same_print and all(_shows_nothing(outcome, arguments) for outcome, arguments in pairs)


def _shows_nothing(outcome: Outcome, arguments: Arguments) -> bool:
    before = (*arguments.positional, *(value for _, value in arguments.keyword))
    return (
        isinstance(outcome, Returned)
        and outcome.value.wire == _NONE
        and outcome.arguments_after in ((), before)
        and not outcome.state_after
    )
