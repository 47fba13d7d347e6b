"""How judging spreads: one process, two processes, a Dask cluster of two workers on loopback (PyPI `distributed`).

    python benchmarks/spread.py --programs P.jsonl.gz --experiment paraphrase5.toml --out DIR

DIR holds a finished `mpt evaluate` of that experiment: its evidence is judged again, at one target a task, at all, and
with every task ten times. Prints a row a size and way: seconds, targets a second, and how many times as fast as one
process. Last, one of two Dask workers is killed when a third of the tasks is done. Fails where two ways give different
lines.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mpt.evaluation.experiments import read_experiment
from mpt.evaluation.judging import Job, judge
from mpt.evaluation.prompts import read_tasks
from mpt.evaluation.selection import select
from mpt.evaluation.spread import Spread, open_spread
from mpt.validation import Thresholds

if TYPE_CHECKING:
    from distributed import LocalCluster

FILE = click.Path(path_type=Path, dir_okay=False, exists=True)
FOLDER = click.Path(path_type=Path, file_okay=False, exists=True)


@click.command()
@click.option("--programs", required=True, type=FILE)
@click.option("--experiment", required=True, type=FILE)
@click.option("--out", required=True, type=FOLDER)
def main(programs: Path, experiment: Path, out: Path) -> None:
    jobs = _jobs(programs, experiment, out)
    sizes = {"one a task": [_first_target(job) for job in jobs], "all": jobs, "all, ten times": jobs * 10}
    seen: dict[str, tuple[str, float]] = {}
    for way, opened in (
        ("1 process", open_spread(1)),
        ("2 processes", open_spread(2)),
        ("Dask, 2 workers", _cluster()),
    ):
        with opened as spread:
            list(spread.map(judge, jobs[:4]))  # what starts only once is not measured
            for size, chosen in sizes.items():
                digest, seconds = _judged(spread, chosen)
                first, alone = seen.setdefault(size, (digest, seconds))
                if digest != first:
                    raise SystemExit(f"{way}: other lines than one process")
                targets = sum(len(trials) for job in chosen for _, trials in job.trials)
                row = {
                    "targets": targets,
                    "way": way,
                    "seconds": round(seconds, 2),
                    "per_second": round(targets / seconds),
                }
                click.echo(json.dumps({**row, "times_as_fast": round(alone / seconds, 2)}))
    killed = _judged_with_a_kill(jobs)
    click.echo(json.dumps({"way": "Dask, one of 2 workers killed midway", "same lines": killed == seen["all"][0]}))
    if killed != seen["all"][0]:
        raise SystemExit("a killed worker changed the lines")


def _jobs(programs: Path, experiment: Path, out: Path) -> list[Job]:
    lines = {json.loads(line)["task_id"]: line for line in (out / "evidence.jsonl").read_text().splitlines()}
    tasks = select(programs, (read_experiment(experiment),), read_tasks(), 0).tasks
    return [Job(one.task, lines[one.task.task_id], one.trials, "default", Thresholds()) for one in tasks]


def _first_target(job: Job) -> Job:
    return replace(job, trials=tuple((experiment, trials[:1]) for experiment, trials in job.trials))


def _judged(spread: Spread, jobs: list[Job]) -> tuple[str, float]:
    started, digest = time.monotonic(), sha256()
    for line in spread.map(judge, jobs):
        digest.update(line.encode())
    return digest.hexdigest(), time.monotonic() - started


def _judged_with_a_kill(jobs: list[Job]) -> str:
    digest = sha256()
    with _local_cluster() as local, open_spread(scheduler=local.scheduler_address) as spread:
        for number, line in enumerate(spread.map(judge, jobs)):
            digest.update(line.encode())
            if number == len(jobs) // 3:
                os.kill(next(iter(local.workers.values())).pid, signal.SIGKILL)
    return digest.hexdigest()


@contextlib.contextmanager
def _cluster() -> Iterator[Spread]:
    with _local_cluster() as local, open_spread(scheduler=local.scheduler_address) as spread:
        yield spread


def _local_cluster() -> LocalCluster:
    from distributed import LocalCluster

    return LocalCluster(n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None)


if __name__ == "__main__":
    main()
