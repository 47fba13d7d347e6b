"""What a run is about: the tasks, programs and trials that the experiments ask for, and what had to be left out."""

from __future__ import annotations

import ast
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from mpt.errors import UsageError
from mpt.evaluation import gather, grid
from mpt.evaluation.experiments import Experiment, TaskRecords, Trial, trials
from mpt.evaluation.prompts import Task
from mpt.evaluation.records import LeftOut, Record, read_records


@dataclass(frozen=True, slots=True)
class TaskTrials:
    """One task and, by experiment, its trials."""

    task: Task
    trials: tuple[tuple[Experiment, tuple[Trial, ...]], ...]

    @property
    def all(self) -> list[Trial]:
        return [trial for _, found in self.trials for trial in found]

    def records(self) -> tuple[Record, ...]:
        """Every record that takes part, targets and witnesses, each once, in the order of the file."""
        used = {record.line: record for trial in self.all for record in (trial.target, *trial.fuzzed_with)}
        return tuple(used[line] for line in sorted(used))

    def gathering(self) -> gather.Job:
        """Each text once, whoever wrote it."""
        texts = {record.line: gather.runnable(self.task, record.program) for record in self.records()}
        programs = tuple(dict.fromkeys(texts.values()))
        fuzzings = (
            grid.fuzzing(programs, texts[trial.target.line], [texts[one.line] for one in trial.fuzzed_with])
            for trial in self.all
        )
        return gather.Job(self.task, programs, tuple(dict.fromkeys(fuzzings)))


@dataclass(frozen=True, slots=True)
class Selection:
    """digest: SHA-256 of the programs file."""

    tasks: tuple[TaskTrials, ...]
    left_out: tuple[LeftOut, ...]
    digest: str


def select(path: Path, experiments: Sequence[Experiment], tasks: Mapping[str, Task], seed: int) -> Selection:
    """Raises UsageError where nothing of the file can be used, or an experiment finds no target in it."""
    records = read_records(path)
    by_task: dict[str, list[Record]] = {}
    for row in records.rows:
        by_task.setdefault(row.task_id, []).append(row)
    strangers = [
        LeftOut(path.name, row.line, f"task {row.task_id!r} is not in the dataset")
        for row in records.rows
        if row.task_id not in tasks
    ]
    if len(strangers) == len(records.rows):
        raise UsageError(
            f"{path}: none of its tasks is in the dataset (line {strangers[0].line}: {strangers[0].reason})"
        )
    known = [TaskRecords(task_id, tuple(rows)) for task_id, rows in by_task.items() if task_id in tasks]
    chosen = [
        TaskTrials(tasks[one.task_id], tuple((e, tuple(trials(e, one, seed))) for e in experiments)) for one in known
    ]
    left_out = [*records.left_out, *strangers, *_unparsable(path, chosen), *_lacking(path, experiments, chosen)]
    return Selection(tuple(one for one in chosen if one.all), tuple(left_out), sha256(path.read_bytes()).hexdigest())


def _unparsable(path: Path, chosen: Iterable[TaskTrials]) -> list[LeftOut]:
    """Programs that do not parse stay in the totals, as targets not judged or witnesses that say nothing."""
    found = []
    for record in (record for one in chosen for record in one.records()):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # a SyntaxWarning is the program's, not ours
                ast.parse(record.program)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            reason = error.msg if isinstance(error, SyntaxError) else str(error)
            found.append(LeftOut(path.name, record.line, f"the program does not parse ({reason})"))
    return found


def _lacking(path: Path, experiments: Sequence[Experiment], chosen: Sequence[TaskTrials]) -> list[LeftOut]:
    """Tasks without a target, and trials with fewer witnesses than asked for."""
    found = []
    for number, experiment in enumerate(experiments):
        by_task = [(one.task.task_id, one.trials[number][1]) for one in chosen]
        without = [task_id for task_id, made in by_task if not made]
        if len(without) == len(by_task):
            raise UsageError(f"{path}: holds no target of experiment {experiment.label!r} ({experiment.target})")
        if without:
            found.append(LeftOut(experiment.label, 0, f"{len(without)} tasks have no target: {_some(without)}"))
        short = Counter(task_id for task_id, made in by_task for one in made if len(one.witnesses) < experiment.asked)
        if short:
            reason = (
                f"{sum(short.values())} targets have fewer than {experiment.asked} witnesses, in {_some(list(short))}"
            )
            found.append(LeftOut(experiment.label, 0, reason))
    return found


def _some(task_ids: Sequence[str]) -> str:
    shown = ", ".join(task_ids[:5])
    return shown if len(task_ids) <= 5 else f"{shown} and {len(task_ids) - 5} more"
