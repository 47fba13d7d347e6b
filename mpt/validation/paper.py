"""The paper's two policies (Wang & Zhu, §3.3): how many paraphrase programs are in the difference set."""

from __future__ import annotations

from collections.abc import Callable

from mpt.equality import Equality
from mpt.validation.comparing import Comparison
from mpt.validation.thresholds import Thresholds
from mpt.values import Evidence, Verdict


def majority(evidence: Evidence, thresholds: Thresholds, equality: Equality) -> Verdict:
    """Reported when more than half of the paraphrase programs are in the difference set."""
    return _by_difference_set(evidence, thresholds, equality, lambda differ, comparable: 2 * differ > comparable)


def conservative(evidence: Evidence, thresholds: Thresholds, equality: Equality) -> Verdict:
    """Reported when the difference set is not empty."""
    return _by_difference_set(evidence, thresholds, equality, lambda differ, comparable: differ > 0)


def _by_difference_set(
    evidence: Evidence, thresholds: Thresholds, equality: Equality, reported: Callable[[int, int], bool]
) -> Verdict:
    seen = Comparison(evidence, equality)
    too_few = seen.too_few(thresholds)
    if too_few is not None:
        return too_few
    differ, comparable = len(seen.differing), len(seen.comparable)
    if not reported(differ, comparable):
        reason = f"{comparable - differ} of {comparable} paraphrase programs never differ"
        return Verdict("CONSISTENT", reason, agreement=seen.agreement)
    at = [i for i in range(len(evidence.inputs)) if any(seen.table[p][i] is False for p in seen.differing)]
    reason = f"{differ} of {comparable} paraphrase programs differ on some input"
    return Verdict("INCONSISTENT", reason, seen.disagreements(at, seen.comparable), seen.agreement)
