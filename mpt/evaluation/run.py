"""The experiment, step by step: evidence, verdicts, then what is true, then the scores.

Each step writes one JSON line a task and passes over the tasks whose line is there, so a run that was killed goes on.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from mpt import __version__
from mpt.errors import UsageError
from mpt.evaluation import gather, judging, llm_judge, scoring, truth
from mpt.evaluation.experiments import Experiment
from mpt.evaluation.folder import RunFolder
from mpt.evaluation.prompts import read_tasks
from mpt.evaluation.records import LeftOut
from mpt.evaluation.scoring import Scored
from mpt.evaluation.selection import Selection, TaskTrials, select
from mpt.evaluation.spread import Spread
from mpt.evaluation.truth import Right, Truth
from mpt.ports import LanguageModel, Watch
from mpt.settings import Settings
from mpt.validation import Thresholds

J = TypeVar("J")


@dataclass(frozen=True, slots=True)
class Plan:
    """What is asked for. truths: "humaneval", or names of HumanEval+ files."""

    programs: Path
    experiments: tuple[Experiment, ...]
    policies: tuple[str, ...]
    truths: tuple[str, ...]
    settings: Settings
    thresholds: Thresholds = field(default_factory=Thresholds)

    def __post_init__(self) -> None:
        for policy in self.policies:
            known = (*judging.ALL_POLICIES, llm_judge.NAME)
            if policy not in known:
                raise UsageError(f"no policy {policy!r} (known: {', '.join(known)})")
        labels = [experiment.label for experiment in self.experiments]
        if len(set(labels)) < len(labels):
            raise UsageError(f"two experiments have the same file name: {', '.join(labels)}")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run found.

    truths, right: by the truth's name; right by record line. published: what the programs' publisher says, by line.
    seconds: by step, as measured when each line was made.
    """

    selection: Selection
    evidence: dict[str, str]
    scored: tuple[Scored, ...]
    truths: dict[str, Truth]
    right: dict[str, dict[int, Right]]
    published: dict[int, bool]
    rows: tuple[dict[str, Any], ...]
    left_out: tuple[LeftOut, ...]
    seconds: dict[str, float]


def run(
    plan: Plan, out: Path, spread: Spread, watch: Watch, model: Callable[[], LanguageModel] | None = None
) -> Outcome:
    """`model` is asked by the policy `llm-judge` alone. Raises MptError, Cancelled."""
    selection = select(plan.programs, plan.experiments, read_tasks(), plan.settings.seed)
    truths = {known.name: known for known in map(truth.open_truth, plan.truths)}
    steps = _Steps(plan, RunFolder(out, _manifest(plan, selection)), spread, watch, model)
    evidence = steps.evidence(selection.tasks)
    verdicts = {policy: steps.verdicts(selection.tasks, evidence, policy) for policy in plan.policies}
    right = {name: steps.right(selection.tasks, known) for name, known in truths.items()}
    seconds = steps.folder.seconds()
    scored = [
        scoring.score(experiment.label, policy, name, verdicts[policy], right[name])
        for experiment in plan.experiments
        for name in right
        for policy in plan.policies
    ]
    of_truths = (one for known in truths.values() for one in (*known.left_out, *_unknown(known, selection)))
    left_out = (*selection.left_out, *of_truths)
    published = truth.published_passes(plan.programs)
    rows = _rows(plan, scored, seconds)
    return Outcome(selection, evidence, tuple(scored), truths, right, published, rows, left_out, seconds)


def _unknown(known: Truth, selection: Selection) -> Iterator[LeftOut]:
    lacking = [one.task.task_id for one in selection.tasks if not known.knows(one.task)]
    if lacking:
        shown = ", ".join(lacking[:5]) + (" …" if len(lacking) > 5 else "")
        yield LeftOut(known.name, 0, f"says nothing of {len(lacking)} tasks, or of another version of them: {shown}")


def _rows(plan: Plan, scored: Iterable[Scored], seconds: Mapping[str, float]) -> tuple[dict[str, Any], ...]:
    """A row's seconds: making the evidence, which all rows share, and judging it by the row's policy."""
    scored = list(scored)
    majority = {(one.experiment, one.truth): one.fpr for one in scored if one.policy == "majority"}
    sizes = {one.label: _sizes(one, plan.settings.inputs) for one in plan.experiments}
    return tuple(
        {
            **scoring.row(
                one,
                majority.get((one.experiment, one.truth)),
                seconds.get("evidence", 0.0) + seconds.get(_verdicts(plan, one.policy), 0.0),
                plan.settings.seed,
            ),
            **sizes[one.experiment],
        }
        for one in scored
    )


def _sizes(experiment: Experiment, inputs: int) -> dict[str, Any]:
    """How many programs and inputs; and whether it is one of several experiments that differ in that number alone."""
    return {
        "programs": experiment.asked,
        "inputs": experiment.inputs or inputs,
        "by_programs": experiment.reworded > 0,
        "by_inputs": experiment.inputs is not None,
    }


def _manifest(plan: Plan, selection: Selection) -> dict[str, Any]:
    """All that evidence depends on; each policy with its numbers, and each truth, has a file of its own."""
    settings = plan.settings
    return {
        "version": __version__,
        "programs": selection.digest,
        "experiments": [asdict(experiment) for experiment in plan.experiments],
        "seed": settings.seed,
        "fuzzer": settings.fuzzer,
        "inputs": settings.inputs,
        "fuzz_executions": settings.fuzz_executions,
        "fuzz_s": settings.fuzz_s,
        "limits": asdict(settings.limits),
        "sandbox": settings.sandbox,
        "python": settings.python,
    }


@dataclass(frozen=True, slots=True)
class _Steps:
    plan: Plan
    folder: RunFolder
    spread: Spread
    watch: Watch
    model: Callable[[], LanguageModel] | None

    def evidence(self, tasks: Iterable[TaskTrials]) -> dict[str, str]:
        orders = {one.task.task_id: gather.Order(one.gathering(), self.plan.settings) for one in tasks}
        return self._lines("evidence", gather.evidence_line, orders)

    def verdicts(
        self, tasks: Iterable[TaskTrials], evidence: Mapping[str, str], policy: str
    ) -> dict[str, list[dict[str, Any]]]:
        """The trials of one policy by task."""
        if policy == llm_judge.NAME:
            return self._opinions(tasks)
        orders = {
            one.task.task_id: judging.Job(
                one.task, evidence[one.task.task_id], one.trials, policy, self.plan.thresholds
            )
            for one in tasks
        }
        lines = self._lines(_verdicts(self.plan, policy), judging.judge, orders)
        return {task_id: json.loads(line)["trials"] for task_id, line in lines.items()}

    def _opinions(self, tasks: Iterable[TaskTrials]) -> dict[str, list[dict[str, Any]]]:
        """Asked from here, one task after the other: what is spent is counted in one place."""
        if self.model is None:
            raise UsageError(f"the policy {llm_judge.NAME!r} wants a language model")
        model, watch, here = self.model, self.watch, Spread(None, 1)
        lines = self._lines(
            f"verdicts-{llm_judge.NAME}-{sha256(model().name.encode()).hexdigest()[:8]}",
            lambda one: llm_judge.judge(one.task, one.trials, model(), watch),
            {one.task.task_id: one for one in tasks},
            here,
        )
        return {task_id: json.loads(line)["trials"] for task_id, line in lines.items()}

    def right(self, tasks: Iterable[TaskTrials], known: Truth) -> dict[int, Right]:
        """By the record's line. A task that the truth does not know is not among them."""
        orders = {
            one.task.task_id: truth.Order(known.of(one.task), one.task, one.records(), self.plan.settings)
            for one in tasks
            if known.knows(one.task)
        }
        lines = self._lines(f"truth-{known.name}-{known.version}", truth.truth_line, orders)
        return scoring.by_line(map(truth.read_truth_line, lines.values()))

    def _lines(
        self, step: str, work: Callable[[J], str], orders: Mapping[str, J], spread: Spread | None = None
    ) -> dict[str, str]:
        """One line a task: those in the folder, and those made now, in the order of the tasks."""
        kept = self.folder.lines(step)
        todo = [task_id for task_id in orders if task_id not in kept]
        self.watch.phase(step, len(todo))
        made = (spread or self.spread).map(partial(_timed, work), (orders[task_id] for task_id in todo))
        for task_id, (line, seconds) in zip(todo, made, strict=True):
            self.watch.check()
            self.folder.append(step, task_id, line, seconds)
            kept[task_id] = line
            self.watch.advance()
        return {task_id: kept[task_id] for task_id in orders}


def _verdicts(plan: Plan, policy: str) -> str:
    """The step's name: other numbers are other verdicts."""
    numbers = json.dumps(asdict(plan.thresholds), sort_keys=True)
    return f"verdicts-{policy}-{sha256(numbers.encode()).hexdigest()[:8]}"


def _timed(work: Callable[[J], str], job: J) -> tuple[str, float]:
    started = time.monotonic()
    return work(job), time.monotonic() - started
