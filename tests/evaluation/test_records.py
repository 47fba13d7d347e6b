"""Reading recorded programs and experiments: what is used, what is left out and why."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from mpt.errors import UsageError
from mpt.evaluation.experiments import TaskRecords, read_experiment, trials
from mpt.evaluation.gather import runnable
from mpt.evaluation.grid import Grid
from mpt.evaluation.judging import evidence_of
from mpt.evaluation.prompts import Task
from mpt.evaluation.records import read_records
from mpt.evaluation.selection import select
from mpt.spelling import value_of
from mpt.values import Arguments, Raised

ROW = {"task_id": "T/0", "source": "s", "model": "m", "relation": "original", "sample": 1, "program": "def f(): ..."}
TASKS = {"T/0": Task("T/0", 'def f():\n    """Say nothing."""\n', "f")}


def rows(count: int, **changes: object) -> list[dict[str, object]]:
    return [{**ROW, "sample": sample, **changes} for sample in range(1, count + 1)]


def write(folder: Path, lines: list[object], name: str = "programs.jsonl") -> Path:
    path = folder / name
    path.write_text("\n".join(one if isinstance(one, str) else json.dumps(one) for one in lines) + "\n")
    return path


def experiment(folder: Path, text: str, name: str = "e.toml") -> Path:
    (folder / name).write_text(text)
    return folder / name


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{broken", "not JSON"),
        ("[1]", "not a JSON object"),
        ({**ROW, "program": 1}, "'program' wants str"),
        ({**ROW, "sample": True}, "'sample' wants int"),
        ({name: value for name, value in ROW.items() if name != "model"}, "'model' is missing"),
        ({**ROW, "published_pass": "yes"}, "'published_pass'"),
        (ROW, "the same task, source, model, relation and sample as line 1"),
    ],
)
def test_a_line_that_cannot_be_used_is_left_out_with_its_number(tmp_path: Path, line: object, reason: str) -> None:
    read = read_records(write(tmp_path, [ROW, line, {**ROW, "sample": 2}]))
    assert [row.line for row in read.rows] == [1, 3]
    assert [left.line for left in read.left_out] == [2]
    assert reason in read.left_out[0].reason


def test_an_unknown_field_is_said_once_and_the_line_is_used(tmp_path: Path) -> None:
    read = read_records(write(tmp_path, [ROW, *[{**ROW, "sample": n, "notes": ""} for n in (2, 3)]]))
    assert len(read.rows) == 3
    assert [str(left) for left in read.left_out] == [
        "programs.jsonl:2: unknown field 'notes', ignored here and on 1 further lines"
    ]


def test_a_file_that_breaks_off_is_used_as_far_as_it_goes(tmp_path: Path) -> None:
    path = tmp_path / "programs.jsonl.gz"
    text = "".join(json.dumps({**ROW, "sample": n, "program": str(n) * 5000}) + "\n" for n in range(400))
    path.write_bytes(gzip.compress(text.encode(), compresslevel=0)[:-900_000])
    read = read_records(path)
    assert read.rows
    assert "breaks off" in read.left_out[-1].reason


@pytest.mark.parametrize("text", ["", "{broken\n"])
def test_a_file_without_a_usable_line_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "programs.jsonl"
    path.write_text(text)
    with pytest.raises(UsageError, match="no recorded program"):
        read_records(path)
    with pytest.raises(UsageError, match="no such file"):
        read_records(tmp_path / "nowhere.jsonl")


def test_what_a_line_says_of_the_truth_stays_behind(tmp_path: Path) -> None:
    (row,) = read_records(write(tmp_path, [{**ROW, "published_pass": True}])).rows
    assert not hasattr(row, "published_pass")


# --- experiments ----------------------------------------------------------------------------------


def test_the_next_samples_are_taken_cyclically(tmp_path: Path) -> None:
    e = read_experiment(experiment(tmp_path, '[target]\nmodel = "m"\n[[witness]]\nsame_model_other_samples = 3\n'))
    task = TaskRecords("T/0", read_records(write(tmp_path, list(rows(5)))).rows)
    found = {trial.target.sample: [row.sample for row in trial.witnesses] for trial in trials(e, task, 0)}
    assert found == {1: [2, 3, 4], 2: [3, 4, 5], 3: [4, 5, 1], 4: [5, 1, 2], 5: [1, 2, 3]}


def test_subsets_of_the_reworded_rows_are_the_same_for_every_target_and_follow_the_seed(tmp_path: Path) -> None:
    text = 'subsets = 4\n[target]\nmodel = "m"\n[[witness]]\nreworded = 3\n'
    e = read_experiment(experiment(tmp_path, text))
    reworded = [{**ROW, "model": f"w{n}", "relation": "concise"} for n in range(12)]
    task = TaskRecords("T/0", read_records(write(tmp_path, [*rows(2), *reworded])).rows)
    drawn: dict[int, set[tuple[int, ...]]] = {}
    for trial in trials(e, task, 0):
        assert len({row.line for row in trial.witnesses}) == 3
        drawn.setdefault(trial.subset, set()).add(tuple(row.line for row in trial.witnesses))
    assert [len(choices) for choices in drawn.values()] == [1, 1, 1, 1]
    assert len(set.union(*drawn.values())) > 1
    assert trials(e, task, 0) == trials(e, task, 0) != trials(e, task, 1)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[target", "cannot be read"),
        ('[target]\nmodel = "m"\n', "at least one"),
        ('[target]\nmodle = "m"\n[[witness]]\nmodel = "w"\n', "unknown key 'modle'"),
        ('[target]\nmodel = 1\n[[witness]]\nmodel = "w"\n', "'model' wants str"),
        ('[[witness]]\nmodel = "w"\n', r"\[target\]"),
        ('[target]\nmodel = "m"\n[[witness]]\nreworded = 0\n', "from 1"),
        ('[target]\nmodel = "m"\n[[witness]]\nreworded = 3\nmodel = "w"\n', "nothing else"),
        ('min_programs = "3"\n[target]\nmodel = "m"\n[[witness]]\nmodel = "w"\n', "'min_programs'"),
    ],
)
def test_an_experiment_that_is_wrong_names_file_and_key(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(UsageError, match=reason) as error:
        read_experiment(experiment(tmp_path, text))
    assert "e.toml" in str(error.value)


def test_what_is_missing_is_counted_and_the_rest_goes_on(tmp_path: Path) -> None:
    e = read_experiment(experiment(tmp_path, '[target]\nmodel = "m"\n[[witness]]\nmodel = "w"\n'))
    stranger = {**ROW, "task_id": "T/99"}
    path = write(tmp_path, [ROW, stranger, {**ROW, "sample": 2, "program": "def f(:"}])
    found = select(path, (e,), TASKS, 0)
    assert [one.task.task_id for one in found.tasks] == ["T/0"]
    assert [str(left) for left in found.left_out] == [
        "programs.jsonl:2: task 'T/99' is not in the dataset",
        "programs.jsonl:3: the program does not parse (invalid syntax)",
        "e: 2 targets have fewer than 1 witnesses, in T/0",
    ]


def test_an_experiment_without_a_target_is_refused(tmp_path: Path) -> None:
    e = read_experiment(experiment(tmp_path, '[target]\nmodel = "nobody"\n[[witness]]\nmodel = "m"\n'))
    with pytest.raises(UsageError, match=r"no target of experiment 'e' \(model = 'nobody'\)"):
        select(write(tmp_path, [ROW]), (e,), TASKS, 0)
    with pytest.raises(UsageError, match="none of its tasks is in the dataset"):
        select(write(tmp_path, [ROW]), (e,), {}, 0)


def test_an_experiment_on_fewer_inputs_keeps_the_examples(tmp_path: Path) -> None:
    text = 'inputs = 1\n[target]\nmodel = "m"\n[[witness]]\nmodel = "w"\n'
    e = read_experiment(experiment(tmp_path, text))
    task = TaskRecords("T/0", read_records(write(tmp_path, [ROW, {**ROW, "model": "w"}])).rows)
    [trial] = trials(e, task, 0)
    inputs = tuple(Arguments((value_of(n),), origin="example" if n == 1 else "fuzzed") for n in range(3))
    row = tuple(Raised(str(n)) for n in range(3))
    made = Grid("T/0", (runnable(TASKS["T/0"], trial.target.program),), inputs, (row,), {(0,): (0, 1, 2)})
    assert evidence_of(TASKS["T/0"], made, trial).inputs == inputs[:2]
