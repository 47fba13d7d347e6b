"""Which programs are right: HumanEval's own tests, or HumanEval+. For measuring alone, after all verdicts are written.

Nothing that makes evidence or verdicts may import this module: an import contract forbids it.

One line a task: {"task_id", "programs": [[line of the record, right, why not], ..]}
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol

from mpt import wiring
from mpt.equality import Equality, same_value
from mpt.errors import UsageError
from mpt.evaluation.gather import Unwatched, runnable
from mpt.evaluation.prompts import Task, dataset_path
from mpt.evaluation.records import LeftOut, Record, json_lines
from mpt.ports import Sandbox, Watch
from mpt.settings import Settings
from mpt.spelling import call, outcome, value_of
from mpt.values import Arguments, Limits, Origin, Outcome, Program, Returned, Value
from mpt.worker import codec

LIMITS = Limits(load_s=10, input_s=3, program_s=20, check_s=3600)
"""Generous: a program that is slow on this machine is not wrong. HumanEval gives all its tests together 3 s."""


@dataclass(frozen=True, slots=True)
class Right:
    """Whether a program is right; `why` it is not, in a few words."""

    right: bool
    why: str = ""


class Truth(Protocol):
    """Knows which programs of a task are right."""

    @property
    def name(self) -> str:
        """ "humaneval", or the file's name."""

    @property
    def version(self) -> str:
        """What the answers depend on; part of the run's lines' name."""

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """What of its file could not be used."""

    def knows(self, task: Task) -> bool:
        """Whether it can judge programs of the task."""

    def of(self, task: Task) -> Truth:
        """What it takes to judge that task alone: little to send to another process."""

    def judge(self, task: Task, programs: Sequence[str], sandbox: Sandbox, watch: Watch) -> list[Right]:
        """One answer a program text. Raises SandboxError, Cancelled."""

    def valid(self, task: Task, inputs: Sequence[Arguments], sandbox: Sandbox, watch: Watch) -> list[bool]:
        """Which inputs the task is for, as far as the truth says. Raises SandboxError, Cancelled."""


def open_truth(name: str) -> Truth:
    """ "humaneval", or a HumanEval+ file. Raises UsageError."""
    return _read_tests() if name == "humaneval" else _read_plus(Path(name))


@dataclass(frozen=True, slots=True)
class Order:
    """The records of one task to be judged, and the settings of the sandbox they run in."""

    truth: Truth
    task: Task
    records: tuple[Record, ...]
    settings: Settings


def truth_line(order: Order) -> str:
    """The line of one task; each text is judged once. Raises MptError."""
    texts = {record.line: runnable(order.task, record.program) for record in order.records}
    distinct = tuple(dict.fromkeys(texts.values()))
    sandbox = wiring.open_wall(order.settings)
    try:
        judged = order.truth.judge(order.task, distinct, sandbox, Unwatched())
    finally:
        sandbox.close()
    found = dict(zip(distinct, judged, strict=True))
    rows = [[line, found[text].right, found[text].why] for line, text in texts.items()]
    return json.dumps({"task_id": order.task.task_id, "programs": rows}, separators=(",", ":"))


def read_truth_line(line: str) -> dict[int, Right]:
    """Right or not by the record's line."""
    return {number: Right(right, why) for number, right, why in json.loads(line)["programs"]}


def published_passes(path: Path) -> dict[int, bool]:
    """What the programs' publisher says of HumanEval's own tests, by line."""
    found = {}
    for number, text in json_lines(path, []):
        try:
            passed = json.loads(text)["published_pass"]
        except (ValueError, KeyError, TypeError):
            continue
        if isinstance(passed, bool):
            found[number] = passed
    return found


# --- HumanEval's own tests ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HumanEvalTests:
    """HumanEval's `check(candidate)`, run with the program inside the sandbox."""

    tests: dict[str, str]
    name: str = "humaneval"
    version: str = "tests"
    left_out: tuple[LeftOut, ...] = ()

    def knows(self, task: Task) -> bool:
        return task.task_id in self.tests

    def of(self, task: Task) -> HumanEvalTests:
        return HumanEvalTests({task.task_id: self.tests[task.task_id]})

    def judge(self, task: Task, programs: Sequence[str], sandbox: Sandbox, watch: Watch) -> list[Right]:
        ending = (
            f"\n{self.tests[task.task_id]}\n\ndef mpt_run_tests():\n    check({task.entry_point})\n    return True\n"
        )
        tested = [Program(text + ending, "mpt_run_tests", Origin("target")) for text in programs]
        rows = sandbox.run(tested, [Arguments(())], LIMITS, watch)
        return [Right(True) if seen == Returned(value_of(True)) else Right(False, outcome(seen)) for (seen,) in rows]

    def valid(self, task: Task, inputs: Sequence[Arguments], sandbox: Sandbox, watch: Watch) -> list[bool]:
        """HumanEval does not say."""
        return [True] * len(inputs)


def _read_tests() -> HumanEvalTests:
    with gzip.open(dataset_path(), "rt", encoding="utf-8") as file:
        entries = [json.loads(line) for line in file if line.strip()]
    return HumanEvalTests({entry["task_id"]: entry["test"] for entry in entries})


# --- HumanEval+ -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PlusTask:
    """One line of a HumanEval+ file. inputs: HumanEval's own, then EvalPlus's; atol: 0 where answers are exact."""

    prompt: str
    entry_point: str
    solution: str
    inputs: tuple[Arguments, ...]
    atol: float
    contract: str = ""


@dataclass(frozen=True, slots=True)
class HumanEvalPlus:
    """EvalPlus's inputs, with the canonical solution run in the same sandbox as the judge."""

    tasks: dict[str, PlusTask]
    name: str
    version: str
    left_out: tuple[LeftOut, ...] = ()

    def knows(self, task: Task) -> bool:
        """Another function under the same number is another version of the dataset."""
        return task.task_id in self.tasks and self.tasks[task.task_id].entry_point == task.entry_point

    def of(self, task: Task) -> HumanEvalPlus:
        return HumanEvalPlus({task.task_id: self.tasks[task.task_id]}, self.name, self.version)

    def judge(self, task: Task, programs: Sequence[str], sandbox: Sandbox, watch: Watch) -> list[Right]:
        """Input by input in batches; a program that was wrong once is not run on the batches that follow."""
        plus = self.tasks[task.task_id]
        canonical = plus.prompt + plus.solution
        why: dict[str, str] = {}
        for batch in _batches(plus.inputs):
            left = [text for text in programs if text not in why]
            if not left:
                break
            asked = [Program(text, plus.entry_point, Origin("target")) for text in (canonical, *left)]
            expected, *rows = sandbox.run(asked, batch, LIMITS, watch)
            for text, row in zip(left, rows, strict=True):
                for arguments, want, got in zip(batch, expected, row, strict=True):
                    if not _right(plus, arguments, want, got):
                        why.setdefault(text, _shown(plus, arguments, want, got))
        return [Right(text not in why, why.get(text, "")) for text in programs]

    def valid(self, task: Task, inputs: Sequence[Arguments], sandbox: Sandbox, watch: Watch) -> list[bool]:
        """By the task's contract: assertions that stand where the body would."""
        plus = self.tasks[task.task_id]
        contract = Program(f"{plus.prompt}{plus.contract}\n    return True\n", plus.entry_point, Origin("target"))
        [row] = sandbox.run([contract], inputs, LIMITS, watch)
        return [isinstance(seen, Returned) for seen in row]


def _batches(inputs: Sequence[Arguments]) -> Iterator[Sequence[Arguments]]:
    """A few first: what hangs on everything is found out cheaply."""
    edges = [0, *range(5, len(inputs), _BATCH), len(inputs)]
    return (inputs[start:end] for start, end in pairwise(edges))


_BATCH = 100


def _right(plus: PlusTask, arguments: Arguments, want: Outcome, got: Outcome) -> bool:
    """EvalPlus's rule: equal; where floats are among the answers, within `atol` (1e-6 where it is 0)."""
    if not isinstance(want, Returned):
        return True  # the canonical solution has no answer here (too slow for our limits): nothing to hold against it
    if not isinstance(got, Returned):
        return False
    if plus.entry_point == "find_zero":
        return _is_zero(arguments, got.value, plus.atol)
    return same_value(want.value, got.value, Equality(relative=1e-7, absolute=plus.atol or 1e-6)) is True


def _is_zero(arguments: Arguments, found: Value, atol: float) -> bool:
    """EvalPlus's oracle for HumanEval/32, where any zero of the polynomial is right."""
    coefficients, x = codec.build(codec.parse(arguments.positional[0].wire)), codec.build(codec.parse(found.wire))
    if not isinstance(x, int | float):
        return False
    try:
        return bool(abs(sum(coefficient * x**power for power, coefficient in enumerate(coefficients))) <= atol)
    except OverflowError:
        return False


def _shown(plus: PlusTask, arguments: Arguments, want: Outcome, got: Outcome) -> str:
    return f"{call(plus.entry_point, arguments)[:200]}: {outcome(got)[:80]}, not {outcome(want)[:80]}"


def _read_plus(path: Path) -> HumanEvalPlus:
    left_out: list[LeftOut] = []
    tasks = {}
    for number, text in json_lines(path, left_out):
        try:
            entry = json.loads(text)
            tasks[str(entry["task_id"])] = _plus_task(entry)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            left_out.append(LeftOut(path.name, number, f"not a line of a HumanEval+ file ({_missing(error)})"))
    if not tasks:
        raise UsageError(f"{path}: not a HumanEval+ file: {left_out[0] if left_out else 'it is empty'}")
    return HumanEvalPlus(tasks, path.name, sha256(path.read_bytes()).hexdigest()[:12], tuple(left_out))


def _missing(error: Exception) -> str:
    return f"no field {error}" if isinstance(error, KeyError) else str(error)


def _plus_task(entry: dict[str, Any]) -> PlusTask:
    inputs = [Arguments(tuple(map(value_of, one))) for one in (*entry["base_input"], *entry["plus_input"])]
    return PlusTask(
        entry["prompt"],
        entry["entry_point"],
        entry["canonical_solution"],
        tuple(inputs),
        float(entry["atol"]),
        str(entry.get("contract", "")),
    )
