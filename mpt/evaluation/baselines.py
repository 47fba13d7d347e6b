"""Other people's ways to judge the same evidence, at the same number of programs.

* `largest-cluster`: functional clustering (Ravuri and Amarasinghe, arXiv 2506.11021). Programs that answer alike on
  every input are a cluster; the target is reported when a larger cluster than its own exists.
* `incoherence`: (Valentin et al., arXiv 2507.00057). The chance that two of the programs, the target among them,
  differ on an input, is a lower bound of their error; reported when it is not nought. It speaks of all programs
  together, not of the target.
"""

from __future__ import annotations

from itertools import combinations

from mpt.equality import Equality, same
from mpt.validation import Policy, Thresholds
from mpt.validation.comparing import Comparison, clusters
from mpt.values import Evidence, Status, Verdict


def largest_cluster(evidence: Evidence, thresholds: Thresholds, equality: Equality) -> Verdict:
    """Probability: the share of programs outside the target's cluster."""
    seen = Comparison(evidence, equality)
    too_few = seen.too_few(thresholds)
    if too_few is not None:
        return too_few
    found = clusters(evidence, (0, *seen.comparable), equality)
    own, largest = len(found[0]), max(map(len, found))
    probability = 1 - own / sum(map(len, found))
    status: Status = "INCONSISTENT" if own < largest else "CONSISTENT"
    reason = f"{own} programs answer as the function does, {largest} in the largest cluster"
    return Verdict(status, reason, agreement=seen.agreement, probability=probability)


def incoherence(evidence: Evidence, thresholds: Thresholds, equality: Equality) -> Verdict:
    """Probability: the share of (pair of programs, input) on which the two differ."""
    seen = Comparison(evidence, equality)
    too_few = seen.too_few(thresholds)
    if too_few is not None:
        return too_few
    pairs = list(combinations((0, *seen.comparable), 2))
    answers = [
        same(evidence.outcomes[p][i], evidence.outcomes[q][i], equality)
        for p, q in pairs
        for i in range(len(evidence.inputs))
    ]
    differ = answers.count(False) / len(answers)
    reason = f"two programs differ with a chance of {differ:.3f}"
    return Verdict("INCONSISTENT" if differ else "CONSISTENT", reason, agreement=seen.agreement, probability=differ)


BASELINES: dict[str, Policy] = {"largest-cluster": largest_cluster, "incoherence": incoherence}
