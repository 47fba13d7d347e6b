"""RQ3: every false positive and false negative of a policy as a page, and why it came to that, counted.

Targets with the same text and the same witnesses are one case. Why (the first that holds):

    missed    not judged            the verdict is INCONCLUSIVE
              ambiguous             the verdict is AMBIGUOUS
              shared misreading     most witnesses are wrong too
              inputs too weak       most witnesses are right, and on no input does one differ
              too few differ        most witnesses are right, and too few differ
    accused   witnesses wrong       most witnesses are wrong
              invalid input         the target differs only where the task's contract does not hold
              truth too weak        right programs differ on a valid input: its tests miss it, or the docstring is open
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from mpt import similarity
from mpt.evaluation import grid
from mpt.evaluation.experiments import Trial
from mpt.evaluation.judging import equality_for, evidence_of
from mpt.evaluation.prompts import Task
from mpt.evaluation.run import Outcome
from mpt.evaluation.scoring import Scored
from mpt.evaluation.selection import TaskTrials
from mpt.evaluation.truth import Right, Truth
from mpt.ports import Sandbox, Watch
from mpt.reporting.document import Block, Code, Document, Section, Table, Text
from mpt.spelling import call, outcome
from mpt.validation.comparing import Comparison
from mpt.values import Arguments, Disagreement

SHOWN = 12
"""Disagreements on a page."""

Valid = Callable[[Task, Sequence[Arguments]], Sequence[bool]]
"""Which arguments a task's contract allows."""


@dataclass(frozen=True, slots=True)
class Case:
    """One error of a policy. why: a class of this module's table. lines: the targets it stands for."""

    task: Task
    trial: Trial
    verdict: Mapping[str, Any]
    wrong: bool
    why: str
    lines: tuple[int, ...]
    disagreements: tuple[Disagreement, ...]

    @property
    def kind(self) -> str:
        return "missed" if self.wrong else "accused"

    @property
    def name(self) -> str:
        return f"{self.task.task_id.replace('/', '-')}-{self.trial.target.line}"


def find_cases(
    tasks: Sequence[TaskTrials], evidence: Mapping[str, str], scored: Scored, right: Mapping[int, Right], valid: Valid
) -> list[Case]:
    """The errors of one policy in one experiment, in the order of the tasks."""
    errors = {
        (trial["line"], trial["subset"]): trial
        for trial, judged in zip(scored.trials, scored.judged, strict=True)
        if judged.wrong != judged.reported
    }
    return [
        _case(one.task, same, errors, loaded, right, valid)
        for one in tasks
        if (mine := [t for t in _trials(one, scored.experiment) if (t.target.line, t.subset) in errors])
        for loaded in [grid.loads(evidence[one.task.task_id])]
        for same in _alike(mine)
    ]


def _trials(one: TaskTrials, label: str) -> Sequence[Trial]:
    return next(trials for experiment, trials in one.trials if experiment.label == label)


def _alike(trials: Sequence[Trial]) -> list[list[Trial]]:
    """Trials with the same texts together."""
    found: dict[tuple[str, ...], list[Trial]] = {}
    for trial in trials:
        found.setdefault((trial.target.program, *(one.program for one in trial.witnesses)), []).append(trial)
    return list(found.values())


def _case(
    task: Task,
    same: Sequence[Trial],
    errors: Mapping[tuple[int, int], Mapping[str, Any]],
    loaded: grid.Grid,
    right: Mapping[int, Right],
    valid: Valid,
) -> Case:
    trial = same[0]
    verdict = errors[trial.target.line, trial.subset]
    evidence = evidence_of(task, loaded, trial)
    seen = Comparison(evidence, equality_for(task, evidence))
    at = [i for i in range(len(evidence.inputs)) if any(seen.table[p][i] is False for p in seen.comparable)]
    shown = seen.disagreements(at, seen.comparable)
    wrong = not right[trial.target.line].right
    most_right = 2 * sum(right[one.line].right for one in trial.witnesses) > len(trial.witnesses)
    why = _why_missed(verdict, most_right) if wrong else _why_accused(task, most_right, shown, valid)
    return Case(task, trial, verdict, wrong, why, tuple(sorted({t.target.line for t in same})), shown)


def _why_missed(verdict: Mapping[str, Any], most_right: bool) -> str:
    if verdict["status"] != "CONSISTENT":
        return {"INCONCLUSIVE": "not judged", "AMBIGUOUS": "ambiguous"}[verdict["status"]]
    if not most_right:
        return "shared misreading"
    return "inputs too weak" if verdict["agreement"] == 1 else "too few differ"


def _why_accused(task: Task, most_right: bool, shown: Sequence[Disagreement], valid: Valid) -> str:
    if not most_right:
        return "witnesses wrong"
    return "truth too weak" if any(valid(task, [one.arguments for one in shown])) else "invalid input"


def of_policy(found: Outcome, policy: str, sandbox: Sandbox, watch: Watch) -> Iterator[tuple[Scored, list[Case]]]:
    """The errors of one policy, by experiment and truth."""
    for scored in found.scored:
        if scored.policy == policy:
            truth = found.truths[scored.truth]
            valid = partial(_valid, truth, sandbox, watch)
            right = found.right[scored.truth]
            yield scored, find_cases(found.selection.tasks, found.evidence, scored, right, valid)


def _valid(truth: Truth, sandbox: Sandbox, watch: Watch, task: Task, inputs: Sequence[Arguments]) -> Sequence[bool]:
    return truth.valid(task, inputs, sandbox, watch)


def counted(scored: Scored, cases: Sequence[Case]) -> list[dict[str, Any]]:
    """How many errors of each kind, as the report has them."""
    found = Counter((one.kind, one.why) for one in cases)
    targets = Counter((one.kind, one.why) for one in cases for _ in one.lines)
    which = {"experiment": scored.experiment, "policy": scored.policy, "truth": scored.truth}
    return [
        {**which, "kind": kind, "why": why, "cases": number, "targets": targets[kind, why]}
        for (kind, why), number in sorted(found.items())
    ]


# --- pages ----------------------------------------------------------------------------------------


def page(case: Case, right: Mapping[int, Right]) -> Document:
    """A case for people: docstring, programs with their rewordings' similarity, inputs, who said what."""
    said = "wrong, and not reported" if case.wrong else "right, and reported"
    truth = right[case.trial.target.line].why
    return Document(
        f"{case.task.task_id}: {said} ({case.why})",
        (
            Section("The prompt", (Code(case.task.prompt),)),
            Section("The target", (Text(f"Lines {_numbers(case.lines)}. {truth}"), Code(case.trial.target.program))),
            Section("The verdict", (Text(f"{case.verdict['status']}: {case.verdict['reason']}"),)),
            Section("Inputs on which programs differ", (_answers(case),)),
            *_witnesses(case, right),
        ),
    )


def _answers(case: Case) -> Block:
    rows = tuple(
        (
            call(case.task.entry_point, one.arguments),
            outcome(one.target),
            " · ".join(f"{outcome(answer.outcome)} by {_numbers(answer.programs)}" for answer in one.others),
        )
        for one in case.disagreements[:SHOWN]
    )
    return Table(("call", "the target", "paraphrase programs, by number"), rows) if rows else Text("None.")


def _witnesses(case: Case, right: Mapping[int, Right]) -> Iterator[Section]:
    description = case.task.parsed.description
    for number, one in enumerate(case.trial.witnesses, start=1):
        reworded = _docstring(one.program, case.task.entry_point)
        alike = "" if reworded is None else f" Its docstring is {similarity.of_texts(description, reworded):.2f} alike."
        truth = "Right." if right[one.line].right else f"Wrong: {right[one.line].why}"
        title = f"Program {number}: {one.model}, {one.relation}"
        yield Section(title, (Text(f"Line {one.line}. {truth}{alike}"), Code(one.program)), folded=True)


def _docstring(program: str, entry_point: str) -> str | None:
    """The reworded docstring as it stands in the program."""
    try:
        body = ast.parse(program).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    named = [node for node in body if isinstance(node, ast.FunctionDef) and node.name == entry_point]
    return ast.get_docstring(named[-1]) if named else None


def _numbers(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))
