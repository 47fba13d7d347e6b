"""Evidence → verdict lines. Knows nothing of what is true: an import contract forbids it.

One line a task and policy:

    {"task_id", "policy",
     "trials": [{"experiment", "line": of the target, "subset", "witnesses": [line, ..],
                 "status", "score", "probability", "agreement", "reason",
                 "instead": the witness to take in the target's place, or null}, ..]}

score: grows with how wrong the policy thinks the target is; null where it did not judge.
instead: of the largest cluster of witnesses that answer alike on every input the first, as in the paper's
post-processing.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

from mpt import equality
from mpt.evaluation import grid
from mpt.evaluation.baselines import BASELINES
from mpt.evaluation.experiments import Experiment, Trial
from mpt.evaluation.gather import runnable
from mpt.evaluation.grid import Grid
from mpt.evaluation.prompts import Task
from mpt.validation import POLICIES, Policy, Thresholds
from mpt.validation.comparing import clusters, known
from mpt.values import Evidence, Verdict

ALL_POLICIES: dict[str, Policy] = {**POLICIES, **BASELINES}


@dataclass(frozen=True, slots=True)
class Job:
    """One task's evidence, as its line, and the trials to judge on it by one policy."""

    task: Task
    evidence: str
    trials: tuple[tuple[Experiment, tuple[Trial, ...]], ...]
    policy: str
    thresholds: Thresholds


def judge(job: Job) -> str:
    """The verdict line of one task."""
    seen = _Task(job.task, grid.loads(job.evidence), job.policy, job.thresholds, {})
    found = [seen.row(experiment, trial) for experiment, trials in job.trials for trial in trials]
    return json.dumps({"task_id": job.task.task_id, "policy": job.policy, "trials": found}, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class _Task:
    """A task being judged. Trials with the same texts have the same verdict: it is made once."""

    task: Task
    grid: Grid
    policy: str
    thresholds: Thresholds
    made: dict[tuple[object, ...], dict[str, Any]]

    def row(self, experiment: Experiment, trial: Trial) -> dict[str, Any]:
        lines = [witness.line for witness in trial.witnesses]
        head = {"experiment": experiment.label, "line": trial.target.line, "subset": trial.subset, "witnesses": lines}
        texts = [tuple(one.program for one in group) for group in (trial.witnesses, trial.fuzzed_with)]
        key = (trial.target.program, *texts, experiment.min_programs, trial.inputs)
        if key not in self.made:
            self.made[key] = self._judge(evidence_of(self.task, self.grid, trial), experiment)
        made = dict(self.made[key])
        instead = made.pop("instead")
        return {**head, **made, "instead": None if instead is None else lines[instead - 1]}

    def _judge(self, evidence: Evidence, experiment: Experiment) -> dict[str, Any]:
        thresholds = replace(self.thresholds, min_programs=experiment.min_programs)
        counted = equality_for(self.task, evidence)
        verdict = ALL_POLICIES[self.policy](evidence, thresholds, counted)
        return {
            "status": verdict.status,
            "score": score(verdict),
            "probability": verdict.probability,
            "agreement": verdict.agreement,
            "reason": verdict.reason,
            "instead": _most_alike(evidence, counted),
        }


def _most_alike(evidence: Evidence, counted: equality.Equality) -> int | None:
    """The first program of the largest cluster of witnesses, as an index into the evidence's programs."""
    running = [p for p, row in enumerate(evidence.outcomes) if p > 0 and any(map(known, row))]
    found = clusters(evidence, running, counted)
    return max(found, key=len)[0] if found else None


def evidence_of(task: Task, seen: Grid, trial: Trial) -> Evidence:
    """The evidence on one trial."""
    target, *witnesses = (runnable(task, one.program) for one in (trial.target, *trial.witnesses))
    others = [runnable(task, one.program) for one in trial.fuzzed_with]
    evidence = grid.evidence_on(seen, target, witnesses, others, task.entry_point)
    return evidence if trial.inputs is None else _with_fewer_inputs(evidence, trial.inputs)


def _with_fewer_inputs(evidence: Evidence, count: int) -> Evidence:
    """The examples, and the first `count` of the other inputs."""
    fuzzed = [i for i, one in enumerate(evidence.inputs) if one.origin != "example"][count:]
    kept = [i for i in range(len(evidence.inputs)) if i not in fuzzed]
    inputs = tuple(evidence.inputs[i] for i in kept)
    return replace(evidence, inputs=inputs, outcomes=tuple(tuple(row[i] for i in kept) for row in evidence.outcomes))


def equality_for(task: Task, evidence: Evidence) -> equality.Equality:
    """As the pipeline compares."""
    return equality.of_prompt(task.parsed, evidence)


_RANK = {"CONSISTENT": 0, "AMBIGUOUS": 1, "INCONSISTENT": 2}


def score(verdict: Verdict) -> float | None:
    """The policy's probability; where it gives none, its status first and the share of differing programs second."""
    if verdict.status == "INCONCLUSIVE":
        return None
    if verdict.probability is not None:
        return verdict.probability
    return (_RANK[verdict.status] + 1 - (verdict.agreement or 0.0)) / 3
