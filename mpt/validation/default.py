"""default (ours): how likely is it that the target is wrong?

What speaks against it (mpt.validation.signals) is weighed by a logistic sum, its four numbers fitted to recorded
programs of which it is known whether they are right, none of them about one task. The person chooses how sure it is to
be before it warns.
"""

from __future__ import annotations

import math

from mpt.equality import Equality
from mpt.validation.comparing import Comparison, known
from mpt.validation.consensus import scattered
from mpt.validation.refusals import Considerate
from mpt.validation.signals import Hearing, Signals
from mpt.validation.thresholds import Thresholds, Weights
from mpt.values import Disagreement, Evidence, Stopped, Verdict

SHOWN = 0.8
"""Inputs are shown whose share comes so near to the largest one."""
_NO_PYTHON = ("SyntaxError", "IndentationError", "TabError")


def default(evidence: Evidence, thresholds: Thresholds, equality: Equality) -> Verdict:
    """INCONSISTENT from the probability on that the sensitivity names, if two programs agree on another answer or an
    example says so; AMBIGUOUS where the programs scatter.

    INCONCLUSIVE where no program has understood the docstring: all contradict an example that the target meets.
    A target that the interpreter cannot parse is INCONSISTENT where enough paraphrase programs run.
    """
    seen = Considerate(evidence, equality)
    verdict = no_program(seen, thresholds) or seen.too_few(thresholds)
    if verdict is not None:
        return verdict
    hearing = Hearing(seen, thresholds.weights)
    if hearing.refuted:
        reason = "every paraphrase program contradicts an example of the docstring that the function meets"
        return Verdict("INCONCLUSIVE", reason, doubtful_examples=hearing.doubtful)
    chance = probability(hearing.signals, thresholds.weights)
    verdict = _verdict(hearing, chance, thresholds)
    return Verdict(verdict.status, verdict.reason, verdict.disagreements, seen.agreement, hearing.doubtful, chance)


def probability(signals: Signals, weights: Weights) -> float:
    """That the target is wrong."""
    against = (
        weights.base
        + weights.differing * signals.differing
        + weights.peak * signals.peak
        + weights.example * signals.example
    )
    return 1 / (1 + math.exp(-against))


def no_program(seen: Comparison, thresholds: Thresholds) -> Verdict | None:
    """INCONSISTENT for a target that is no Python, while at least `min_programs` paraphrase programs answer."""
    first = next(iter(seen.evidence.target), None)
    if not isinstance(first, Stopped) or first.cause != "load" or not first.detail.startswith(_NO_PYTHON):
        return None
    running = [p for p, row in enumerate(seen.evidence.outcomes) if any(map(known, row))]
    if len(running) < thresholds.min_programs:
        return None
    reason = f"cannot be parsed ({first.detail}); {len(running)} of {len(seen.evidence.others)} paraphrase programs run"
    return Verdict("INCONSISTENT", reason, seen.disagreements([0], running), probability=1.0)


def _verdict(hearing: Hearing, chance: float, thresholds: Thresholds) -> Verdict:
    seen, total = hearing.seen, len(hearing.seen.evidence.inputs)
    likely = f"likely to be wrong ({chance:.0%})"
    if chance >= thresholds.warn_from and (hearing.contradicted or hearing.seconded):
        return Verdict("INCONSISTENT", f"{_because(hearing)}: {likely}", _strongest(hearing))
    at = scattered(seen, seen.comparable, thresholds)
    if chance >= thresholds.warn_from and at:
        reason = "no two paraphrase programs give the same other answer: the description may leave it open"
        return Verdict("AMBIGUOUS", reason, seen.disagreements(at, seen.comparable))
    if at and len(at) >= thresholds.scatter * total:
        reason = f"no answer has a majority on {len(at)} of {total} inputs: the description may leave it open"
        return Verdict("AMBIGUOUS", reason, seen.disagreements(at, seen.comparable))
    return Verdict("CONSISTENT", f"un{likely}")


def _because(hearing: Hearing) -> str:
    if hearing.contradicted:
        return "contradicts an example of its docstring"
    seen = hearing.seen
    return f"{len(seen.differing)} of {len(seen.comparable)} paraphrase programs differ on some input"


def _strongest(hearing: Hearing) -> tuple[Disagreement, ...]:
    """The examples contradicted, and the inputs on which most voices give another answer."""
    seen, peak = hearing.seen, max(hearing.shares, default=0.0)
    at = {i for i, share in enumerate(hearing.shares) if share and share >= SHOWN * peak}
    at |= {one.at for one in hearing.contradicted}
    if not at:  # they differ by what they raise alone
        at = {i for p in seen.differing for i, same in enumerate(seen.table[p]) if same is False}
    return seen.disagreements(at, seen.comparable)
