"""The paper's experiment on recorded programs: how many wrong programs a policy finds, how many right ones it accuses.

    records, experiments, prompts ─ selection          what is asked, and what was left out
                                        │
                                     gather ─ grid     evidence: every program of a task on every input
                                        │
                                     judging           verdicts; cannot import what knows the truth
                                        │
                            truth ─ scoring ─ metrics  what is right, and the table
                                        │
                                     report            JSON, Markdown, a page

`run` does these steps, each a line a task in a `folder`; `spread` says in which processes.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mpt.evaluation import report
from mpt.evaluation.experiments import read_experiment
from mpt.evaluation.gather import Unwatched
from mpt.evaluation.run import Plan, run
from mpt.evaluation.spread import open_spread
from mpt.ports import Watch
from mpt.settings import Settings


def evaluate(
    programs: Path | str,
    experiments: Sequence[Path | str],
    *,
    truths: Sequence[str] = ("humaneval",),
    policies: Sequence[str] = ("default", "majority"),
    settings: Settings | None = None,
    out: Path | None = None,
    processes: int = 1,
    scheduler: str | None = None,
    watch: Watch | None = None,
) -> dict[str, Any]:
    """Runs the experiments and gives the report of `mpt.evaluation.report`, also kept in `out` where that is given.

    truths: "humaneval", or names of HumanEval+ files. The same call with the same `out` goes on where it stopped.
    Raises MptError, Cancelled.
    """
    chosen = settings or Settings(fuzzer="loop")
    read = tuple(read_experiment(Path(one)) for one in experiments)
    plan = Plan(Path(programs), read, tuple(policies), tuple(truths), chosen)
    with tempfile.TemporaryDirectory(prefix="mpt-evaluate-") as scratch, open_spread(processes, scheduler) as spread:
        folder = out or Path(scratch) / "run"
        found = report.as_dict(run(plan, folder, spread, watch or Unwatched()))
        report.write(found, folder)
        return found
