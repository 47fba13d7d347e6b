"""How many wrong programs do 20 inputs tell from the right one? Every way of making inputs, side by side in one run.

    python benchmarks/inputs.py --programs programs.jsonl.gz --truth humaneval_plus.jsonl.gz [--json] [--ways mpt,…]

kill_rate: share of pairs (recorded wrong program, canonical solution) told apart, only by inputs that meet HumanEval+'s
contract. invalid_share: of the inputs, those that break it. Seconds are wall clock until a way has handed its inputs
out, one at a time a processor; all ways get the same pairs. branches_*: see branches.py. The canonical solution and
the contracts judge; no way of making inputs sees them.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import branches
from input_ways import INPUTS, WAYS, Unwatched
from kill_pairs import LIMITS, Pair, pairs_of, read_rows, task_of, told_apart
from peer_ways import PEERS_BY_WAY

from mpt.adapters.sandbox import WalledSandbox, open_sandbox
from mpt.adapters.sandbox.running import parallel
from mpt.evaluation.prompts import read_tasks
from mpt.inputs import Unbuildable, examples_of, parameters_of
from mpt.shrink import shrink, size
from mpt.source import parse_prompt
from mpt.values import Arguments, Returned

ALL_WAYS = (*PEERS_BY_WAY, *WAYS)
Make = Callable[[Pair], tuple[Arguments, ...]]


@dataclass(frozen=True, slots=True)
class Measured:
    """One way on one pair. `disagreement`: the first valid input that tells the two apart."""

    inputs: tuple[Arguments, ...]
    invalid: int
    seconds: float
    disagreement: Arguments | None = None


def measure(make: Make, sandbox: WalledSandbox, pair: Pair) -> Measured:
    began = time.perf_counter()
    found = make(pair)
    seconds = time.perf_counter() - began
    told = _told(pair, found, sandbox)
    killing = [one for one, (valid, apart) in zip(found, told, strict=True) if valid and apart]
    return Measured(found, sum(not valid for valid, _ in told), seconds, killing[0] if killing else None)


def _told(pair: Pair, inputs: Sequence[Arguments], sandbox: WalledSandbox) -> list[tuple[bool, bool]]:
    """Of each input: does it meet the contract, and does it tell the wrong program from the right one?"""
    if not inputs:
        return []
    programs = [pair.task.canonical, pair.task.contract, pair.target]
    truth, contract, answers = sandbox.run(programs, inputs, LIMITS, Unwatched())
    valid = [isinstance(outcome, Returned) for outcome in contract]
    return [(v, told_apart(pair.task, t, a)) for v, t, a in zip(valid, truth, answers, strict=True)]


def row(name: str, measured: Sequence[Measured]) -> dict[str, Any]:
    seconds = [one.seconds for one in measured]
    inputs = sum(len(one.inputs) for one in measured)
    return {
        "way": name,
        "kill_rate": round(sum(one.disagreement is not None for one in measured) / len(measured), 4),
        "invalid_share": round(sum(one.invalid for one in measured) / max(1, inputs), 4),
        "seconds_p50": round(statistics.median(seconds), 3),
        "seconds_p95": round(statistics.quantiles(seconds, n=20)[18] if len(seconds) > 1 else seconds[0], 3),
        "inputs_mean": round(inputs / len(measured), 1),
    }


@dataclass(frozen=True, slots=True)
class Coverage:
    """What a sample of HumanEval+'s inputs reaches, of the first pair of each task, by its place among the pairs."""

    sampled: dict[int, Any]

    def of(self, pairs: Sequence[Pair], measured: Sequence[Measured], sandbox: WalledSandbox) -> dict[str, float]:
        """Mean branch coverage of the target and of all programs beside it."""
        shares = [
            branches.shares(branches.steps_of(pairs[n], measured[n].inputs, sandbox, Unwatched()), sampled)
            for n, sampled in self.sampled.items()
        ]
        target, programs = zip(*shares, strict=True)
        return {
            "branches_target": _mean(target),
            "branches_all_programs": _mean(programs),
        }


def _mean(shares: Sequence[float | None]) -> float:
    """Over the tasks whose programs have branches."""
    return round(statistics.mean(share for share in shares if share is not None), 4)


def coverage_of(pairs: Sequence[Pair], sandbox: WalledSandbox) -> Coverage:
    firsts = {pair.task.task_id: n for n, pair in reversed(list(enumerate(pairs)))}
    return Coverage(
        {n: branches.steps_of(pairs[n], branches.sample(pairs[n]), sandbox, Unwatched()) for n in firsts.values()}
    )


def sizes(pairs: Sequence[Pair], measured: Sequence[Measured], sandbox: WalledSandbox) -> dict[str, float]:
    """Median length of the shown disagreement's arguments, as text, before and after shrinking."""
    before, after = [], []
    for pair, one in zip(pairs, measured, strict=True):
        if one.disagreement is not None:
            smaller = shrink(one.disagreement, partial(_apart, pair, sandbox))
            before.append(size(one.disagreement)[0])
            after.append(size(smaller)[0])
    return {"before": statistics.median(before), "after": statistics.median(after)} if before else {}


def _apart(pair: Pair, sandbox: WalledSandbox, batch: Sequence[Arguments]) -> list[bool]:
    return [valid and apart for valid, apart in _told(pair, batch, sandbox)]


def prompts() -> dict[str, int]:
    """All 164 prompts: how many give examples, how many only annotations, how many neither."""
    counts = {"examples": 0, "annotations": 0, "neither": 0, "unbuildable": 0}
    for task in read_tasks().values():
        prompt = parse_prompt(task.prompt, task.entry_point)
        examples = examples_of(prompt)
        annotated = ":" in prompt.signature.partition("(")[2].rpartition(")")[0]
        counts["examples" if examples else "annotations" if annotated else "neither"] += 1
        try:
            parameters_of(prompt, examples, task.prompt)
        except Unbuildable:
            counts["unbuildable"] += 1
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--programs", type=Path, required=True)
    parser.add_argument("--truth", type=Path, required=True)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--ways", default=",".join(ALL_WAYS), help="comma-separated; default: all")
    parser.add_argument("--each", type=int, default=1, help="take every so manieth task, for all ways; default: all")
    parser.add_argument("--environments", type=Path, default=Path(".peers"), help="where the peers are installed")
    options = parser.parse_args()
    chosen = options.ways.split(",")
    if unknown := set(chosen) - set(ALL_WAYS):
        parser.error(f"unknown way {', '.join(sorted(unknown))}: choose of {', '.join(ALL_WAYS)}")
    sandbox = open_sandbox("bubblewrap")
    try:
        answer = run(options, chosen, sandbox)
    finally:
        sandbox.close()
    print(json.dumps(answer) if options.json else table(answer))


def run(options: argparse.Namespace, chosen: Sequence[str], sandbox: WalledSandbox) -> dict[str, Any]:
    began = time.monotonic()
    tasks = [task_of(one) for one in read_rows(options.truth)][:: options.each]
    pairs = pairs_of(tasks, read_rows(options.programs), sandbox, Unwatched())
    told = len({pair.task.task_id for pair in pairs})
    _say(f"{len(pairs)} pairs of {told} tasks; the other {len(tasks) - told} have no wrong program", began)
    answer: dict[str, Any] = {"each": options.each, "pairs": len(pairs), "prompts": prompts(), "rows": []}
    coverage = coverage_of(pairs, sandbox)
    for name in chosen:
        with _opened(name, options.environments.absolute(), sandbox) as make:
            measured = _measured(make, pairs, sandbox)
        answer["rows"].append(row(name, measured) | coverage.of(pairs, measured, sandbox))
        _say(json.dumps(answer["rows"][-1]), began)
        if name == "mpt":
            answer["shown_length"] = sizes(pairs, measured, sandbox)
    return answer | {"minutes": round((time.monotonic() - began) / 60, 1)}


@contextmanager
def _opened(name: str, environments: Path, sandbox: WalledSandbox) -> Iterator[Make]:
    if name in WAYS:
        yield lambda pair: WAYS[name](pair, sandbox)
        return
    with PEERS_BY_WAY[name].opened(environments) as peer:
        yield lambda pair: peer.inputs(pair, INPUTS)


def _measured(make: Make, pairs: Sequence[Pair], sandbox: WalledSandbox) -> list[Measured]:
    with ThreadPoolExecutor(parallel()) as pool:
        list(pool.map(make, pairs[: parallel()]))  # warms what is warm later
        return list(pool.map(partial(measure, make, sandbox), pairs))


def _say(text: str, began: float) -> None:
    print(f"{time.monotonic() - began:5.0f} s  {text}", file=sys.stderr, flush=True)


def table(answer: dict[str, Any]) -> str:
    head = f"{'way':28} {'killed':>7} {'invalid':>8} {'p50 s':>7} {'p95 s':>7} {'inputs':>7}"
    lines = [
        f"{one['way']:28} {one['kill_rate']:7.1%} {one['invalid_share']:8.1%} {one['seconds_p50']:7.2f}"
        f" {one['seconds_p95']:7.2f} {one['inputs_mean']:7.1f}"
        for one in answer["rows"]
    ]
    rest = {key: value for key, value in answer.items() if key != "rows"}
    return "\n".join([head, *lines, json.dumps(rest)])


if __name__ == "__main__":
    main()
