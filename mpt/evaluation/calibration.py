"""Fits the numbers of `default` to programs of which it is known whether they are right; out of fold by task.

A task counts once in each experiment, however many targets it has there: ten samples of one model are not ten facts.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from mpt.evaluation.metrics import Judged
from mpt.validation import Weights
from mpt.validation.default import probability
from mpt.validation.signals import Signals

FOLDS = 5
ROUNDS = 3000
STEP = 1.0
"""Safe for any samples: weights sum to 1 and no signal exceeds 1, so that the slope changes by at most 1 a step."""
PULL = 0.002
"""Towards 0, on all numbers but the base: 82 tasks are few."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One target: what was seen against it, and whether it is wrong."""

    experiment: str
    task_id: str
    signals: Signals
    wrong: bool


def fold_of(task_id: str) -> int:
    """By the task's name, so that a task is in the same fold in every experiment and run."""
    return int(sha256(task_id.encode()).hexdigest(), 16) % FOLDS


def fit(samples: Sequence[Sample], start: Weights) -> Weights:
    """`start` with the base and the three weights that make the samples most likely; no weight below 0."""
    groups = _grouped(samples)
    numbers = [0.0, 0.0, 0.0, 0.0]
    for _ in range(ROUNDS):
        slope = [0.0, PULL * numbers[1], PULL * numbers[2], PULL * numbers[3]]
        for row, weight, wrong in groups:
            chance = 1 / (1 + math.exp(-sum(a * b for a, b in zip(numbers, row, strict=True))))
            for k, value in enumerate(row):
                slope[k] += (weight * chance - wrong) * value
        numbers = [number - STEP * change for number, change in zip(numbers, slope, strict=True)]
        numbers = [numbers[0], *(max(0.0, number) for number in numbers[1:])]
    base, differing, peak, example = (round(number, 2) for number in numbers)
    return replace(start, base=base, differing=differing, peak=peak, example=example)


def out_of_fold(samples: Sequence[Sample], start: Weights) -> list[float]:
    """Each sample's probability by numbers fitted without its task's fold."""
    fitted = [fit([one for one in samples if fold_of(one.task_id) != fold], start) for fold in range(FOLDS)]
    return [probability(one.signals, fitted[fold_of(one.task_id)]) for one in samples]


def warn_from(unseen: Sequence[Judged], allowed: float) -> float:
    """The lowest probability, in hundredths, from which on at most the share `allowed` of the right ones is accused.

    unseen: out of fold, those that could not be judged among them.
    """
    right = [one.probability or 0.0 for one in unseen if not one.wrong]
    steps = (percent / 100 for percent in range(1, 100))
    return next((step for step in steps if sum(said >= step for said in right) <= allowed * len(right)), 1.0)


def _grouped(samples: Iterable[Sample]) -> list[tuple[tuple[float, ...], float, float]]:
    """(1 and the signals, the samples' weight, the weight of the wrong ones among them), equal signals together."""
    samples = list(samples)
    of_task = Counter((one.experiment, one.task_id) for one in samples)
    total: dict[tuple[float, ...], list[float]] = {}
    for one in samples:
        row = (1.0, one.signals.differing, one.signals.peak, one.signals.example)
        weight = 1 / of_task[one.experiment, one.task_id] / len(of_task)
        sums = total.setdefault(row, [0.0, 0.0])
        sums[0] += weight
        sums[1] += weight * one.wrong
    return [(row, weight, wrong) for row, (weight, wrong) in total.items()]
