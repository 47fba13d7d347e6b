"""Verdict lines and truth lines → the table. The only step, beside `truth`, that knows what is right.

A row: {"experiment", "policy", "truth", "targets", "tp", "fp", "tn", "fn", "inconclusive", "ambiguous", "accuracy",
"precision", "recall", "fpr", "auroc", "brier", "recall_at_majority_fpr", "intervals": {measure: [low, high] or null},
"worth": {error rate: precision there}, "left_out": targets the truth says nothing of, "seconds",
"programs", "inputs": asked a target, "by_programs", "by_inputs": whether the experiment is about that number}
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mpt.evaluation import metrics
from mpt.evaluation.metrics import Judged
from mpt.evaluation.truth import Right

Trials = Mapping[str, Sequence[Mapping[str, Any]]]
"""By task, the trials of one policy's verdict lines."""


@dataclass(frozen=True, slots=True)
class Scored:
    """The judged targets of one experiment, one policy and one truth."""

    experiment: str
    policy: str
    truth: str
    trials: tuple[Mapping[str, Any], ...]
    judged: tuple[Judged, ...]
    left_out: int

    @property
    def fpr(self) -> float | None:
        return metrics.count(self.judged).fpr


def score(experiment: str, policy: str, truth: str, trials: Trials, right: Mapping[int, Right]) -> Scored:
    """`right` is by the record's line."""
    found = [
        (task_id, trial) for task_id, task in trials.items() for trial in task if trial["experiment"] == experiment
    ]
    known = [(task_id, trial) for task_id, trial in found if trial["line"] in right]
    judged = tuple(_judged(task_id, trial, right[trial["line"]]) for task_id, trial in known)
    return Scored(experiment, policy, truth, tuple(trial for _, trial in known), judged, len(found) - len(known))


def _judged(task_id: str, trial: Mapping[str, Any], truth: Right) -> Judged:
    reported = trial["status"] == "INCONSISTENT"
    return Judged(task_id, not truth.right, reported, trial["score"], trial["probability"])


MEASURES: dict[str, Callable[[Sequence[Judged]], float | None]] = {
    "accuracy": lambda judged: metrics.count(judged).accuracy,
    "precision": lambda judged: metrics.count(judged).precision,
    "recall": lambda judged: metrics.count(judged).recall,
    "fpr": lambda judged: metrics.count(judged).fpr,
    "auroc": metrics.auroc,
    "brier": metrics.brier,
}


def row(scored: Scored, majority_fpr: float | None, seconds: float, seed: int) -> dict[str, Any]:
    """One row of the table. majority_fpr: `majority`'s false positive rate on the same targets."""
    judged, counts = scored.judged, metrics.count(scored.judged)
    statuses = [trial["status"] for trial in scored.trials]
    return {
        "experiment": scored.experiment,
        "policy": scored.policy,
        "truth": scored.truth,
        "targets": counts.total,
        "tp": counts.tp,
        "fp": counts.fp,
        "tn": counts.tn,
        "fn": counts.fn,
        "inconclusive": statuses.count("INCONCLUSIVE"),
        "ambiguous": statuses.count("AMBIGUOUS"),
        **{name: measure(judged) for name, measure in MEASURES.items()},
        "recall_at_majority_fpr": None if majority_fpr is None else metrics.recall_at(judged, majority_fpr),
        "intervals": metrics.intervals(judged, MEASURES, seed),
        "worth": {str(rate): metrics.worth(counts, rate) for rate in metrics.ERROR_RATES},
        "left_out": scored.left_out,
        "seconds": round(seconds, 3),
    }


def by_line(lines: Iterable[Mapping[int, Right]]) -> dict[int, Right]:
    """All truth lines together."""
    return {number: right for line in lines for number, right in line.items()}
