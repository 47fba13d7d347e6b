"""Evidence → Verdict (paper §3.3). Every policy is a small pure function of the same evidence, one file each.

The words, as all policies use them:

* A paraphrase program *differs* on an input when `equality.same` is False there between its outcome and the target's.
* It is *comparable* when `same` is not None on some input. With fewer than `min_programs` of them: INCONCLUSIVE.
* `majority` (the paper's): INCONSISTENT when more than half of the comparable programs differ anywhere.
* `conservative` (the paper's): INCONSISTENT when any does. Neither ever says AMBIGUOUS.
* `consensus` (ours): the docstring's examples are an oracle, and a warning needs programs that agree with one another.
* `default` (ours): a probability that the target is wrong, and a warning where it is large enough for the person.
"""

from __future__ import annotations

from collections.abc import Callable

from mpt.equality import DEFAULT, Equality
from mpt.validation.comparing import group, never_ended, shortlex
from mpt.validation.consensus import consensus
from mpt.validation.default import default
from mpt.validation.effects import nothing_seen
from mpt.validation.paper import conservative, majority
from mpt.validation.thresholds import Thresholds, Weights
from mpt.values import Evidence, Verdict

__all__ = ["POLICIES", "Policy", "Thresholds", "Weights", "group", "judge", "never_ended", "nothing_seen", "shortlex"]

Policy = Callable[[Evidence, Thresholds, Equality], Verdict]

POLICIES: dict[str, Policy] = {
    "default": default,
    "consensus": consensus,
    "majority": majority,
    "conservative": conservative,
}


def judge(
    evidence: Evidence, policy: str = "consensus", thresholds: Thresholds | None = None, equality: Equality = DEFAULT
) -> Verdict:
    """The verdict of the policy called `policy` (a key of POLICIES)."""
    return POLICIES[policy](evidence, thresholds or Thresholds(), equality)
