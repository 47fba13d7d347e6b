"""The paper's experiment on recorded programs: how many wrong programs a policy finds, how many right ones it accuses.

    fresh                                              a model's own programs, as a file of records
    records, experiments, prompts ─ selection          what is asked, and what was left out
                                        │
                                     gather ─ grid     evidence: every program of a task on every input
                                        │
                                     judging           verdicts; cannot import what knows the truth
                                        │
                            truth ─ scoring ─ metrics  what is right, and the table
                                        │
                             report ─ cases            JSON, Markdown, a page; a page for every error

`run` does these steps, each a line a task in a `folder`; `spread` says in which processes.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from mpt.evaluation import cases, report
from mpt.evaluation.experiments import Experiment, read_experiment
from mpt.evaluation.folder import write_whole
from mpt.evaluation.gather import Unwatched
from mpt.evaluation.run import Outcome, Plan, run
from mpt.evaluation.spread import open_spread
from mpt.ports import LanguageModel, Watch
from mpt.reporting import as_html
from mpt.settings import PATIENT_EXECUTIONS, Settings
from mpt.validation import Thresholds
from mpt.wiring import open_wall


def evaluate(
    programs: Path | str,
    experiments: Sequence[Path | str | Experiment],
    *,
    truths: Sequence[str] = ("humaneval",),
    policies: Sequence[str] = ("default", "majority"),
    settings: Settings | None = None,
    out: Path | None = None,
    processes: int = 1,
    scheduler: str | None = None,
    watch: Watch | None = None,
    model: Callable[[], LanguageModel] | None = None,
) -> dict[str, Any]:
    """Runs the experiments and gives the report of `mpt.evaluation.report`, also kept in `out` where that is given.

    policies: the errors of the first one get pages. truths: "humaneval", or names of HumanEval+ files. The same call
    with the same `out` goes on where it stopped. model: what the policy `llm-judge` asks, a new one a task.
    Raises MptError, Cancelled.
    """
    chosen = settings or Settings(fuzzer="loop", fuzz_executions=PATIENT_EXECUTIONS)
    read = tuple(one if isinstance(one, Experiment) else read_experiment(Path(one)) for one in experiments)
    thresholds = Thresholds(chosen.agreement, chosen.min_programs, sensitivity=chosen.sensitivity)
    plan = Plan(Path(programs), read, tuple(policies), tuple(truths), chosen, thresholds)
    with tempfile.TemporaryDirectory(prefix="mpt-evaluate-") as scratch, open_spread(processes, scheduler) as spread:
        folder = out or Path(scratch) / "run"
        outcome = run(plan, folder, spread, watch or Unwatched(), model)
        found = {**report.as_dict(outcome), "cases": _write_cases(outcome, plan, folder)}
        report.write(found, folder)
        return found


def _write_cases(outcome: Outcome, plan: Plan, folder: Path) -> list[dict[str, Any]]:
    """A page for every error of the policy named first; how many of each kind."""
    counted: list[dict[str, Any]] = []
    with contextlib.closing(open_wall(plan.settings)) as sandbox:
        for scored, found in cases.of_policy(outcome, plan.policies[0], sandbox, Unwatched()):
            counted += cases.counted(scored, found)
            for case in found:
                document = cases.page(case, outcome.right[scored.truth])
                place = folder / "cases" / f"{scored.experiment}-{scored.truth}"
                place.mkdir(parents=True, exist_ok=True)
                write_whole(place / f"{case.name}.html", as_html.dumps(document))
    return counted
