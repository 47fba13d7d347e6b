"""How good a policy is: pure statistics over judged targets. Positive: the target is wrong.

"Reported" is INCONSISTENT. What was not judged stays in the totals as not reported. It has no rank: AUROC and the ROC
curve are over the targets that were judged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random


@dataclass(frozen=True, slots=True)
class Judged:
    """One target as a policy saw it, beside the truth.

    task_id: targets of one task are not independent; intervals draw whole tasks.
    score: grows with how wrong the policy thinks the target is; None where it did not judge.
    probability: of being wrong, where the policy gives one.
    weight: how many alike targets of the task it stands for.
    """

    task_id: str
    wrong: bool
    reported: bool
    score: float | None
    probability: float | None = None
    weight: int = 1


@dataclass(frozen=True, slots=True)
class Counts:
    """A confusion matrix."""

    tp: int
    fp: int
    tn: int
    fn: int

    @property
    def total(self) -> int:
        return self.tp + self.fp + self.tn + self.fn

    @property
    def accuracy(self) -> float | None:
        return ratio(self.tp + self.tn, self.total)

    @property
    def precision(self) -> float | None:
        return ratio(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float | None:
        return ratio(self.tp, self.tp + self.fn)

    @property
    def fpr(self) -> float | None:
        return ratio(self.fp, self.fp + self.tn)


def ratio(part: float, whole: float) -> float | None:
    """None where nothing is there to share."""
    return part / whole if whole else None


def count(judged: Sequence[Judged]) -> Counts:
    cells = Counter[tuple[bool, bool]]()
    for one in judged:
        cells[one.wrong, one.reported] += one.weight
    return Counts(tp=cells[True, True], fp=cells[False, True], tn=cells[False, False], fn=cells[True, False])


# --- ranking --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Point:
    """A point of the ROC curve: what is found and what is falsely accused from `threshold` on."""

    threshold: float
    fpr: float
    recall: float


def roc(judged: Sequence[Judged]) -> list[Point]:
    """From (0, 0) to (1, 1), a point for each score; empty where right or wrong targets are missing."""
    by_score: dict[float, list[int]] = {}
    for one in judged:
        if one.score is not None:
            by_score.setdefault(one.score, [0, 0])[one.wrong] += one.weight
    right, wrong = (sum(weights[kind] for weights in by_score.values()) for kind in (False, True))
    if not wrong or not right:
        return []
    points, accused, found = [Point(float("inf"), 0.0, 0.0)], 0, 0
    for score in sorted(by_score, reverse=True):
        accused += by_score[score][False]
        found += by_score[score][True]
        points.append(Point(score, accused / right, found / wrong))
    return points


def auroc(judged: Sequence[Judged]) -> float | None:
    """Chance that a wrong target ranks above a right one; ties count half."""
    points = roc(judged)
    steps = pairwise(points)
    return sum((b.fpr - a.fpr) * (a.recall + b.recall) / 2 for a, b in steps) if points else None


def recall_at(judged: Sequence[Judged], fpr: float) -> float | None:
    """What the score finds, of all wrong targets, when no more than `fpr` of all right ones may be accused.

    Between two thresholds the share reached by tossing a coin, as the ROC curve is drawn.
    """
    points = roc(judged)
    if not points:
        return None
    found, accused = _ranked_share(judged, True), _ranked_share(judged, False)
    for a, b in pairwise(points):
        if b.fpr * accused > fpr:
            return found * (a.recall + (b.recall - a.recall) * (fpr / accused - a.fpr) / (b.fpr - a.fpr))
    return found


def _ranked_share(judged: Sequence[Judged], wrong: bool) -> float:
    """Of the wrong (right) targets, the share that was judged."""
    alike = [one for one in judged if one.wrong == wrong]
    ranked = sum(one.weight for one in alike if one.score is not None)
    return ranked / sum(one.weight for one in alike)


# --- probabilities --------------------------------------------------------------------------------


def brier(judged: Sequence[Judged]) -> float | None:
    """Mean squared distance of the probability from what is true, over the targets that were given one."""
    given = [(one.probability, one.wrong, one.weight) for one in judged if one.probability is not None]
    missed = sum(weight * (probability - wrong) ** 2 for probability, wrong, weight in given)
    return ratio(missed, sum(weight for _, _, weight in given))


@dataclass(frozen=True, slots=True)
class Bin:
    """Targets with probabilities in one tenth: how many, their mean probability, the share that is wrong."""

    count: int
    said: float
    seen: float


def reliability(judged: Sequence[Judged], bins: int = 10) -> list[Bin]:
    """The bins that hold anything, in order."""
    held: dict[int, list[Judged]] = {}
    for one in judged:
        if one.probability is not None:
            held.setdefault(min(int(one.probability * bins), bins - 1), []).append(one)
    return [_bin(ones) for _, ones in sorted(held.items())]


def _bin(ones: Sequence[Judged]) -> Bin:
    size = sum(one.weight for one in ones)
    said = sum(one.weight * (one.probability or 0.0) for one in ones)
    return Bin(size, said / size, sum(one.weight * one.wrong for one in ones) / size)


# --- what it means elsewhere ----------------------------------------------------------------------

ERROR_RATES = (0.05, 0.10, 0.15, 0.30)


def worth(counts: Counts, error_rate: float) -> float | None:
    """Chance that a warning is right where `error_rate` of the functions are wrong (Bayes)."""
    if counts.recall is None or counts.fpr is None:
        return None
    found, accused = counts.recall * error_rate, counts.fpr * (1 - error_rate)
    return ratio(found, found + accused)


def intervals(
    judged: Sequence[Judged],
    measures: dict[str, Callable[[Sequence[Judged]], float | None]],
    seed: int,
    draws: int = 1000,
) -> dict[str, tuple[float, float] | None]:
    """95 % intervals by the bootstrap over tasks; None where a measure is undefined in more than half of the draws."""
    tasks, random = _by_task(judged), Random(seed)
    drawn: dict[str, list[float]] = {name: [] for name in measures}
    for _ in range(draws if tasks else 0):
        sample = [one for task in random.choices(tasks, k=len(tasks)) for one in task]
        for name, measure in measures.items():
            value = measure(sample)
            if value is not None:
                drawn[name].append(value)
    return {name: _middle(sorted(values)) if 2 * len(values) > draws else None for name, values in drawn.items()}


def _by_task(judged: Sequence[Judged]) -> list[list[Judged]]:
    """Each task's targets, alike ones once with their weight: a thousand draws are then of few."""
    weights = Counter[Judged]()
    for one in judged:
        weights[replace(one, weight=1)] += one.weight
    by_task: dict[str, list[Judged]] = {}
    for one, weight in weights.items():
        by_task.setdefault(one.task_id, []).append(replace(one, weight=weight))
    return list(by_task.values())


def _middle(values: list[float]) -> tuple[float, float]:
    """From the 2.5th to the 97.5th percentile."""
    last = len(values) - 1
    return values[round(0.025 * last)], values[round(0.975 * last)]
