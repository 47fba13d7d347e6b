"""The policies' numbers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The numbers all policies have, each unused by some.

    agreement: share of the comparable programs that must give one and the same other answer (consensus).
    min_programs: fewest comparable programs that say anything, and fewest that must agree.
    scatter: share of the inputs without a majority answer from which the description is AMBIGUOUS (consensus).
    """

    agreement: float = 0.8
    min_programs: int = 3
    scatter: float = 0.2
