"""What real_code.py does with one function: judged by copies of itself, then mutants of it by copies of the original.

Done in processes of their own, each with a sandbox of its own, which take the functions file by file.
"""

from __future__ import annotations

import multiprocessing
import queue
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from mutants import mutants

from mpt import codegen, inputs, pipeline
from mpt.adapters.loop_fuzzer import LoopFuzzer
from mpt.adapters.sandbox import open_sandbox
from mpt.equality import Equality, same
from mpt.evaluation.gather import Unwatched
from mpt.ports import Fuzzer, Tools
from mpt.settings import Settings
from mpt.values import Campaign, Function, Origin, Program, Report

COPIES = 5
MUTANTS = 5
WIDE_INPUTS = 2_000
SETTINGS = Settings(fuzzer="loop")
WIDE_S = 20.0
"""Seconds in which one program is run on the 2,000 inputs."""
_SILENCE_S = 900.0
"""A process that says nothing for so long is taken for hung."""


@dataclass(frozen=True, slots=True)
class Hunt:
    """One mutant: does it differ on any of the 2,000 inputs, and what came of it?"""

    source: str
    differs: bool
    status: str


@dataclass(frozen=True, slots=True)
class Judged:
    """What came of one function. sought: were mutants made of it? wide_s: seconds that the 2,000 inputs took."""

    number: int
    status: str
    reason: str
    seconds: float
    sought: bool = False
    hunts: tuple[Hunt, ...] = ()
    wide_s: float = 0.0


def judged(functions: Sequence[Function], python: Path, every: int, processes: int) -> Iterator[Judged]:
    """All of them, as they come; mutants are made of every so many. Raises RuntimeError where a process ends early."""
    context = multiprocessing.get_context("spawn")
    orders: Any = context.Queue()
    found: Any = context.Queue()
    numbered = list(enumerate(functions))
    files = [list(some) for _, some in groupby(numbered, key=lambda one: one[1].path)]
    for some in [*files, *([None] * processes)]:
        orders.put(some)
    workers = [context.Process(target=_serve, args=(orders, found, python, every)) for _ in range(processes)]
    for worker in workers:
        worker.start()
    try:
        for _ in functions:
            yield _next(found, workers)
        for worker in workers:
            worker.join()
    finally:
        for worker in workers:
            worker.kill()
        orders.cancel_join_thread()  # what nobody takes any more must not keep us


def _next(found: Any, workers: Sequence[BaseProcess]) -> Judged:
    until = time.monotonic() + _SILENCE_S
    while time.monotonic() < until:
        try:
            one: Judged = found.get(timeout=2.0)
            return one
        except queue.Empty:
            if any(worker.exitcode for worker in workers):
                break  # and the other ones' answers are of no use: the total would be short
    raise RuntimeError("a process that judges functions ended, or says nothing any more")


def _serve(orders: Any, found: Any, python: Path, every: int) -> None:
    sandbox = open_sandbox("auto", python)
    fuzzer = LoopFuzzer(sandbox)
    tools = Tools(lambda: _Nobody(), sandbox, (fuzzer,), _Nothing(), time.monotonic)  # type: ignore[arg-type]
    try:
        for some in iter(orders.get, None):
            for number, function in some:
                found.put(_judged(number, function, tools, fuzzer, number % every == 0))
    finally:
        sandbox.close()


def _judged(number: int, function: Function, tools: Tools, fuzzer: LoopFuzzer, sought: bool) -> Judged:
    report = checked(function, tools)
    first = Judged(number, report.verdict.status, report.verdict.reason, report.spent.seconds)
    if not sought or first.status != "CONSISTENT":
        return first
    hunts, wide_s = hunted(function, tools, fuzzer, lambda mutant: checked(mutant, tools, function))
    return replace(first, sought=True, hunts=hunts, wide_s=wide_s)


def hunted(
    function: Function, tools: Tools, fuzzer: Fuzzer, check: Callable[[Function], Report]
) -> tuple[tuple[Hunt, ...], float]:
    """Up to five mutants of the function, each checked; and the seconds that the 2,000 inputs took."""
    changed = [replace(function, source=text) for text in mutants(function.source, MUTANTS, seed=0)]
    started = time.monotonic()
    differing = _differing(function, changed, tools, fuzzer) if changed else []
    wide_s = time.monotonic() - started
    pairs = zip(changed, differing, strict=True)
    return tuple(Hunt(mutant.source, differs, check(mutant).verdict.status) for mutant, differs in pairs), wide_s


def _copies(function: Function) -> tuple[Program, ...]:
    target = codegen.target(function)
    return tuple(replace(target, origin=Origin("paraphrase", "copy", number)) for number in range(COPIES))


def checked(function: Function, tools: Tools, original: Function | None = None) -> Report:
    """The function judged by five copies of itself, or of the original."""
    return pipeline.compare(function, _copies(original or function), tools, SETTINGS, Unwatched())


def _differing(function: Function, changed: Sequence[Function], tools: Tools, fuzzer: Fuzzer) -> list[bool]:
    """Which of the mutants differ from the function on any of the 2,000 inputs, all run together."""
    target = codegen.target(function)
    examples = inputs.examples_of(function.prompt, function.place)
    parameters = inputs.parameters_of(function.prompt, examples, function.source, function.place)
    seeds = inputs.seeds_of(examples)
    budget = replace(SETTINGS.fuzz_budget, inputs=WIDE_INPUTS, executions=2 * WIDE_INPUTS, seed=1)
    found = (*seeds, *fuzzer.fuzz(Campaign(target, parameters, seeds), budget, Unwatched()))
    programs = [target, *map(codegen.target, changed), target]
    limits = replace(SETTINGS.limits, program_s=WIDE_S, check_s=WIDE_S * len(programs))
    first, *others, again = tools.sandbox.run(programs, found, limits, Unwatched())
    equality = Equality(receiver=function.place is not None and function.place.bound)
    steady = [i for i in range(len(found)) if same(first[i], again[i], Equality(mutation=True)) is True]
    return [any(same(first[i], row[i], equality) is False for i in steady) for row in others]


def told(function: Function, one: Judged, done: int, total: int) -> None:
    """A line a function on stderr."""
    found = f" {sum(h.status == 'INCONSISTENT' for h in one.hunts)}/{len(one.hunts)}" if one.sought else ""
    place = function.place.module.name + "." if function.place else ""
    reason = re.sub(r"\s+", " ", one.reason)
    print(f"{done}/{total} {place}{function.name} {one.status}{found} {reason}", file=sys.stderr, flush=True)


class _Nobody:
    """The language model that nobody asks."""

    name = "none"


class _Nothing:
    """The store that nothing is kept in."""
