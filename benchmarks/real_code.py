"""Functions of well-known packages, judged without a language model: by five copies of themselves, and mutated.

    python benchmarks/real_code.py --json
    python benchmarks/real_code.py --python python3.9 --functions 120

The packages are installed, pinned, into an environment of their own. Functions and methods are taken by a rule: public
and documented, from modules that are neither private nor tests, of every package as many, evenly over its files. Each
is checked as `mpt check` would, the paraphrase programs being copies of itself: it must be CONSISTENT. Then every
`--every`-th is checked again with mutants as the target and five copies of the original as paraphrase programs: those
mutants that differ on any of 2,000 inputs should be INCONSISTENT.

functions      how many were taken
judged         share with a verdict other than INCONCLUSIVE
false_alarms   share of the judged that were not CONSISTENT
mutants_found  share of the mutants that differ on some of the 2,000 inputs and were reported
seconds_p50    median seconds of a check of the function itself
reasons        why the rest was INCONCLUSIVE, by number

It fails where a source tree changed, a process is left or the wall lets a program reach the network.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import platformdirs

sys.path.insert(0, str(Path(__file__).parent))
from mutants import mutants

from mpt import codegen, inputs, pipeline
from mpt.adapters.loop_fuzzer import LoopFuzzer
from mpt.adapters.sandbox import open_sandbox, report_all
from mpt.equality import Equality, same
from mpt.evaluation.gather import Unwatched
from mpt.locating import module_of
from mpt.ports import Tools
from mpt.settings import Settings
from mpt.source import find_functions
from mpt.values import Function, Origin, Program, Report

PACKAGES = {
    "more-itertools": ("10.5.0", "more_itertools"),
    "boltons": ("24.0.0", "boltons"),
    "toolz": ("0.12.1", "toolz"),
    "networkx": ("3.2.1", "networkx"),
    "sortedcontainers": ("2.4.0", "sortedcontainers"),
    "python-dateutil": ("2.9.0.post0", "dateutil"),
    "humanize": ("4.9.0", "humanize"),
    "inflection": ("0.5.1", "inflection"),
    "attrs": ("24.2.0", "attr"),
    "packaging": ("24.1", "packaging"),
    "cachetools": ("5.5.0", "cachetools"),
    "python-slugify": ("8.0.4", "slugify"),
    "textdistance": ("4.6.3", "textdistance"),
    "funcy": ("2.0", "funcy"),
    "jinja2": ("3.1.4", "jinja2"),
}
"""Distribution → version and the package in it."""
MAX_FILES = 12
"""Files read of one package, evenly over all."""
COPIES = 5
MUTANTS = 5
WIDE_INPUTS = 2_000
SETTINGS = Settings(fuzzer="loop")


def main() -> None:
    options = _options()
    python = environment(options.python)
    before = fingerprint(python)
    functions = taken(python, options.functions)
    sandbox = open_sandbox("auto", python)
    fuzzer = LoopFuzzer(sandbox)
    tools = Tools(lambda: _Nobody(), sandbox, (fuzzer,), _Nothing(), time.monotonic)  # type: ignore[arg-type]
    tally = Tally()
    try:
        for number, function in enumerate(functions):
            report = checked(function, tools)
            tally.note(report)
            if options.verbose:
                print(function.path, function.name, report.verdict.status, report.verdict.reason, file=sys.stderr)
            if number % options.every == 0 and report.verdict.status == "CONSISTENT":
                tally.mutants += list(_hunted(function, tools, fuzzer))
    finally:
        sandbox.close()
    found = {**tally.summary(), **proofs(before, fingerprint(python))}
    print(json.dumps(found, indent=None if options.json else 2))
    sys.exit(0 if found["unchanged"] and found["processes_left"] == 0 and found["network_held"] else 1)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="one line of JSON")
    parser.add_argument("--python", default=sys.executable, help="interpreter that the environment is made with")
    parser.add_argument("--functions", type=int, default=432, help="how many functions are taken")
    parser.add_argument("--every", type=int, default=4, help="every so many is mutated")
    parser.add_argument("--verbose", action="store_true", help="a line a function on stderr")
    return parser.parse_args()


# --- the functions --------------------------------------------------------------------------------


def environment(python: str) -> Path:
    """The folder of a virtual environment with the packages, made where there is none yet."""
    pins = [f"{name}=={version}" for name, (version, _) in PACKAGES.items()]
    version = subprocess.run([python, "-c", "import sys; print(sys.version_info[:3])"], capture_output=True, text=True)
    key = hashlib.sha256("\n".join([version.stdout, *pins]).encode()).hexdigest()[:12]
    folder = platformdirs.user_cache_path("mpt") / "benchmarks" / f"real-code-{key}"
    if not (folder / "ready").exists():
        subprocess.run([python, "-m", "venv", "--clear", folder], check=True)
        subprocess.run(
            [folder / "bin" / "python", "-m", "pip", "install", "-qqq", *pins], check=True, stdout=sys.stderr
        )
        (folder / "ready").touch()
    return folder


def taken(python: Path, count: int) -> list[Function]:
    """So many functions, of every package the same number where it has so many."""
    all_of = [list(_public(python, package)) for _, package in PACKAGES.values()]
    a_package = next((n for n in range(1, count) if sum(min(n, len(some)) for some in all_of) >= count), count)
    return [function for some in all_of for function in _spread(some, a_package)]


def _spread(items: Sequence[Any], count: int) -> list[Any]:
    """So many of them, evenly over all in their order."""
    step = max(1.0, len(items) / count)
    return [items[int(i * step)] for i in range(min(count, len(items)))]


def _public(python: Path, package: str) -> Iterator[Function]:
    [site] = python.glob("lib/python3*/site-packages")
    files = sorted((site / package).rglob("*.py")) or [site / f"{package}.py"]
    for path in _spread([file for file in files if _is_public(file.relative_to(site))], MAX_FILES):
        for function in find_functions(path.read_text("utf-8"), str(path), module_of(path)):
            name = function.name.rpartition(".")[2]
            if function.prompt.has_description and not _is_private(function) and not name.startswith("test"):
                yield function


def _is_public(path: Path) -> bool:
    """By its name: no private module, no test."""
    parts = path.with_suffix("").parts[1:]
    return not any(part != "__init__" and part.startswith(("_", "test", "conftest", "benchmark")) for part in parts)


def _is_private(function: Function) -> bool:
    """By its name, or because it stands inside another function."""
    decorated = function.prompt.signature
    inside = function.obstacle is not None and "function" in function.obstacle and "stands" in function.obstacle
    return inside or re.search(r"(^|\.)_", function.name) is not None or "overload" in decorated.partition("def ")[0]


# --- checks ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Hunt:
    """One mutant: does it differ on any of 2,000 inputs, and was it reported?"""

    differs: bool
    reported: bool


def _copies(function: Function) -> tuple[Program, ...]:
    target = codegen.target(function)
    return tuple(replace(target, origin=Origin("paraphrase", "copy", number)) for number in range(COPIES))


def checked(function: Function, tools: Tools, original: Function | None = None) -> Report:
    """The function judged by five copies of itself, or of the original."""
    return pipeline.compare(function, _copies(original or function), tools, SETTINGS, Unwatched())


def _hunted(function: Function, tools: Tools, fuzzer: LoopFuzzer) -> Iterator[Hunt]:
    changed = [replace(function, source=text) for text in mutants(function.source, MUTANTS, seed=0)]
    differing = _differing(function, changed, tools, fuzzer)
    for mutant, differs in zip(changed, differing, strict=True):
        yield Hunt(differs, checked(mutant, tools, function).verdict.status == "INCONSISTENT")


def _differing(function: Function, changed: Sequence[Function], tools: Tools, fuzzer: LoopFuzzer) -> list[bool]:
    """Which of the mutants differ from the function on any of the 2,000 inputs."""
    target = codegen.target(function)
    examples = inputs.examples_of(function.prompt, function.place)
    parameters = inputs.parameters_of(function.prompt, examples, function.source, function.place)
    seeds = tuple(dict.fromkeys(example.arguments for example in examples))
    budget = replace(SETTINGS.fuzz_budget, inputs=WIDE_INPUTS, executions=2 * WIDE_INPUTS, seed=1)
    found = (*seeds, *fuzzer.fuzz(target, parameters, seeds, budget, Unwatched()))
    programs = [target, *map(codegen.target, changed), target]
    limits = replace(SETTINGS.limits, program_s=20.0)
    first, *others, again = tools.sandbox.run(programs, found, limits, Unwatched())
    equality = Equality(receiver=function.place is not None and function.place.bound)
    steady = [i for i in range(len(found)) if same(first[i], again[i], Equality(mutation=True)) is True]
    return [any(same(first[i], row[i], equality) is False for i in steady) for row in others]


class _Nobody:
    """The language model that nobody asks."""

    name = "none"


class _Nothing:
    """The store that nothing is kept in."""


@dataclass
class Tally:
    """What came of it all."""

    statuses: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    alarms: list[str] = field(default_factory=list)
    mutants: list[Hunt] = field(default_factory=list)

    def note(self, report: Report) -> None:
        status, function = report.verdict.status, report.function
        self.statuses[status] += 1
        self.seconds.append(report.spent.seconds)
        if status == "INCONCLUSIVE":
            self.reasons[re.sub(r"'[^']*'|\(.*\)|\d+", "…", report.verdict.reason)[:120]] += 1
        elif status != "CONSISTENT":
            self.alarms.append(f"{function.place.module.name if function.place else ''}.{function.name}")

    def summary(self) -> dict[str, Any]:
        total = sum(self.statuses.values())
        judged = total - self.statuses["INCONCLUSIVE"]
        killable = [hunt for hunt in self.mutants if hunt.differs]
        return {
            "functions": total,
            "judged": round(judged / total, 3),
            "false_alarms": round(len(self.alarms) / max(1, judged), 4),
            "mutants_found": round(sum(hunt.reported for hunt in killable) / max(1, len(killable)), 3),
            "seconds_p50": round(statistics.median(self.seconds), 2),
            "reasons": dict(self.reasons.most_common()),
            "alarms": self.alarms,
            "mutants": len(self.mutants),
            "mutants_that_differ": len(killable),
        }


# --- nothing is left behind -----------------------------------------------------------------------


def fingerprint(python: Path) -> str:
    """Of every file of the packages."""
    digest = hashlib.sha256()
    for path in sorted(python.glob("lib/python3*/site-packages/**/*")):
        if path.is_file() and path.suffix != ".pyc":
            digest.update(str(path).encode() + path.read_bytes())
    return digest.hexdigest()


def proofs(before: str, after: str) -> dict[str, Any]:
    """That nothing changed, nothing runs on, and the wall that was used lets nothing through to the network."""
    network = [
        finding.held
        for report in report_all()
        if report.holds
        for finding in report.findings
        if "network" in finding.what
    ]
    return {"unchanged": before == after, "processes_left": len(_workers()), "network_held": all(network[:1])}


def _workers() -> list[str]:
    """Command lines of sandbox workers that are still there and were started by us."""
    me = str(os.getpid())
    listed = subprocess.run(["ps", "-eo", "ppid=,args="], capture_output=True, text=True, check=True).stdout
    processes = (line.split(None, 1) for line in listed.splitlines())
    return [command for parent, command in processes if "mpt/worker/__main__.py" in command and parent == me]


if __name__ == "__main__":
    main()
