"""The truth that inputs are measured by: wrong recorded programs that HumanEval+'s inputs tell from the right one.

Only even-numbered tasks. The canonical solution, HumanEval+'s inputs and its contracts are read here and nowhere else;
nothing that makes inputs sees them.
"""

from __future__ import annotations

import ast
import gzip
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from mpt.equality import Equality, same
from mpt.ports import Sandbox, Watch
from mpt.source import parse_prompt
from mpt.spelling import value_of
from mpt.values import Arguments, Limits, Origin, Outcome, Program, Prompt, Raised, Returned

WRONG_A_TASK = 3
LIMITS = Limits(input_s=0.5, program_s=6.0)


@dataclass(frozen=True, slots=True)
class Task:
    """A task with its truth. `inputs` are HumanEval+'s."""

    task_id: str
    prompt: Prompt
    canonical: Program
    contract: Program
    inputs: tuple[Arguments, ...]
    atol: float


@dataclass(frozen=True, slots=True)
class Pair:
    """A wrong program, and recorded paraphrase programs of the same task that are not it."""

    task: Task
    target: Program
    paraphrases: tuple[Program, ...]


def read_rows(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def task_of(row: dict[str, Any]) -> Task:
    prompt = parse_prompt(row["prompt"], row["entry_point"])
    origin = Origin("target")
    body = row["contract"].strip("\n")
    contract = f"{prompt.preamble}{prompt.signature.rstrip()}\n{body}\n    return True\n"
    return Task(
        row["task_id"],
        prompt,
        Program(row["prompt"] + row["canonical_solution"], row["entry_point"], origin),
        Program(contract, row["entry_point"], origin),
        tuple(Arguments(tuple(map(value_of, call))) for call in [*row["base_input"], *row["plus_input"]]),
        row["atol"],
    )


def pairs_of(
    tasks: Sequence[Task], rows: Iterable[dict[str, Any]], sandbox: Sandbox, watch: Watch, seed: int = 0
) -> list[Pair]:
    """At most three behaviourally distinct wrong programs a task, drawn by the seed."""
    by_task: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        by_task.setdefault(row["task_id"], []).append(row)
    return [pair for task in tasks for pair in _pairs(task, by_task.get(task.task_id, []), sandbox, watch, seed)]


def _pairs(task: Task, rows: list[dict[str, Any]], sandbox: Sandbox, watch: Watch, seed: int) -> list[Pair]:
    programs = {_plain(source): source for source in (_source(task, row) for row in rows) if _plain(source)}
    candidates = [Program(source, task.prompt.entry_point, Origin("target")) for source in programs.values()]
    truth, *answers = sandbox.run([task.canonical, *candidates], task.inputs, LIMITS, watch)
    usable = [i for i, outcome in enumerate(truth) if isinstance(outcome, Returned)]
    distinct: dict[str, Program] = {}
    for program, row in zip(candidates, answers, strict=True):
        differs = [i for i in usable if told_apart(task, truth[i], row[i])]
        if differs:
            distinct.setdefault(repr([row[i] for i in usable]), program)
    wrong = Random(f"{seed} {task.task_id}").sample(sorted(distinct.values(), key=lambda p: p.source), len(distinct))
    return [Pair(task, target, _paraphrases(task, rows, target)) for target in wrong[:WRONG_A_TASK]]


WITNESSES = (
    ("deepseek-coder-33b-instruct", "verbose"),
    ("wizardcoder-33b-1.1", "concise"),
    ("code-millenials-34b", "verbose"),
    ("chatgpt", "concise"),
    ("gpt-4", "concise"),
)
"""As in experiments/paraphrase5.toml."""


def _paraphrases(task: Task, rows: list[dict[str, Any]], target: Program) -> tuple[Program, ...]:
    found = []
    for row in rows:
        if (row["model"], row["relation"]) in WITNESSES and _plain(_source(task, row)) != _plain(target.source):
            origin = Origin("paraphrase", row["relation"], len(found), row["model"])
            found.append(Program(_source(task, row), task.prompt.entry_point, origin))
    return tuple(found)


def _source(task: Task, row: dict[str, Any]) -> str:
    """The reply's code after what stands before the function in the prompt: its imports and helpers."""
    return task.prompt.preamble + row["program"]


def _plain(source: str) -> str:
    """The program without comments and docstrings, to tell equal ones; empty where it does not parse."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return ""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return ast.dump(tree)


def told_apart(task: Task, truth: Outcome, answer: Outcome) -> bool:
    """Does the answer differ from the right one, by more than the task's tolerance?"""
    if not isinstance(truth, Returned):
        return False
    equality = Equality(absolute=max(task.atol, 1e-9), relative=max(task.atol, 1e-6))
    return isinstance(answer, Raised) or same(truth, answer, equality) is False
