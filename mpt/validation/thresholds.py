"""The policies' numbers. None is about one task; those of `default` are fitted by `mpt.evaluation.calibration`."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Weights:
    """What `default` makes of its signals (mpt.validation.signals): a logistic sum of the first four.

    poor: what is left of the voice of a program that contradicts a credible example.
    copies: programs from this similarity on are copies of one another.
    doubt: voices that never agree: the fewer real ones there are, the less their agreement says.
    quiet, balanced, thorough: the probabilities from which on the person is warned: where, on tasks the numbers were
        not fitted to, at most 1 %, at most 5 %, and no more than majority's share of right functions is accused
        (benchmarks/calibrate.py).
    """

    base: float = -2.76
    differing: float = 2.0
    peak: float = 2.92
    example: float = 3.67
    poor: float = 0.2
    copies: float = 0.95
    doubt: float = 1.0
    quiet: float = 0.67
    balanced: float = 0.41
    thorough: float = 0.28


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The numbers all policies have, each unused by some.

    agreement: share of the comparable programs that must give one and the same other answer (consensus).
    min_programs: fewest comparable programs that say anything, and fewest that must agree.
    scatter: share of the inputs without a majority answer from which the description is AMBIGUOUS.
    sensitivity: how sure `default` is before it warns: quiet, balanced, thorough.
    """

    agreement: float = 0.8
    min_programs: int = 3
    scatter: float = 0.2
    sensitivity: str = "balanced"
    weights: Weights = field(default_factory=Weights)

    @property
    def warn_from(self) -> float:
        """The probability from which on `default` warns."""
        return float(getattr(self.weights, self.sensitivity))
