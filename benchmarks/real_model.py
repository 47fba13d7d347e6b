"""Twenty of the functions of real_code.py, end to end on a language model: a page each, whatever comes.

    python benchmarks/real_model.py --report DIR --json
    python benchmarks/real_model.py --report DIR --replay benchmarks/recordings/real   # no model: the same verdicts

Taken evenly over the functions of all packages. They are well known and tested, so an INCONSISTENT is most likely
a false alarm; the model has seen them too, so a CONSISTENT says little. What it shows is what a person gets. Then up
to five mutants of each are judged by the same paraphrase programs, with no more calls: wrong functions, on real code.

functions   how many were checked
verdicts    how many of each
reasons     why some are INCONCLUSIVE
unusable    share of the paraphrase programs that were asked for and not had
mutants     of the functions judged: made, differing from the function on some of 2,000 inputs; verdicts on the latter
failing     share of those had that raise or stop on every input on which the function returns
seconds_p50, tokens_p50, calls: of a check
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from real_checks import Hunt, hunted
from real_packages import environment, taken

from mpt import pipeline
from mpt.adapters.loop_fuzzer import LoopFuzzer
from mpt.evaluation.gather import Unwatched
from mpt.ports import Tools
from mpt.reporting.folder import Pages
from mpt.settings import Settings
from mpt.values import Function, Report, Returned
from mpt.wiring import open_tools

OF = 432
"""The functions are chosen from so many, as real_code.py takes them."""
DEADLINE_S = 3600.0
"""Of one batch of calls: a busy machine may take long, and nobody waits."""


def main() -> None:
    options = _options()
    python = environment(options.python)
    offered = taken(python, OF)
    functions = [offered[number * len(offered) // options.functions] for number in range(options.functions)]
    settings = Settings(llm=options.llm, python=str(python), fuzzer="loop", llm_deadline_s=DEADLINE_S)
    tools = open_tools(settings, record=options.record, replay=options.replay)
    pages = Pages(options.report)
    reports: list[Report] = []
    hunts: list[Hunt] = []
    try:
        for function in functions:
            report = pipeline.check(function, tools, settings, Unwatched())
            pages.add(replace(report, function=_in_its_package(function)), settings.seed)
            reports.append(report)
            hunts += _hunts(function, report, tools, settings)
            print(f"{report.verdict.status:<12} {function.name}: {report.verdict.reason}", file=sys.stderr)
    finally:
        tools.close()
    print(json.dumps(summary(reports, hunts), indent=None if options.json else 2))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--report", type=Path, required=True, help="folder of the pages")
    parser.add_argument("--functions", type=int, default=20)
    parser.add_argument("--llm", default="embedded", help="as mpt check --llm")
    parser.add_argument("--python", default=sys.executable, help="interpreter that the environment is made with")
    parser.add_argument("--record", type=Path, help="keep every reply and input in this folder")
    parser.add_argument("--replay", type=Path, help="use only what was recorded there")
    parser.add_argument("--json", action="store_true", help="one line of JSON")
    return parser.parse_args()


def _in_its_package(function: Function) -> Function:
    """Its file as the package calls it, wherever the environment lies."""
    return replace(function, path=function.path.rpartition("site-packages/")[2])


def _hunts(function: Function, report: Report, tools: Tools, settings: Settings) -> tuple[Hunt, ...]:
    """Mutants of it, against the programs that were written for it."""
    if report.evidence is None:
        return ()
    programs = report.evidence.programs[1:]

    def check(mutant: Function) -> Report:
        return pipeline.compare(mutant, programs, tools, settings, Unwatched())

    return hunted(function, tools, LoopFuzzer(tools.sandbox), check)[0]


def summary(reports: Sequence[Report], hunts: Sequence[Hunt]) -> dict[str, Any]:
    judged = [report for report in reports if report.evidence]
    had = [failing for report in judged for failing in _failing(report)]
    asked = len(had) + sum(len(report.missing) for report in judged)
    return {
        "functions": len(reports),
        "verdicts": dict(Counter(report.verdict.status for report in reports)),
        "reasons": dict(Counter(r.verdict.reason for r in reports if r.verdict.status == "INCONCLUSIVE")),
        "mutants": {
            "made": len(hunts),
            "differing": sum(one.differs for one in hunts),
            **Counter(one.status for one in hunts if one.differs),
        },
        "unusable": round(1 - len(had) / max(1, asked), 3),
        "failing": round(sum(had) / max(1, len(had)), 3),
        "seconds_p50": round(statistics.median(report.spent.seconds for report in reports), 1),
        "tokens_p50": statistics.median(report.spent.tokens for report in reports),
        "calls": sum(report.spent.llm_calls for report in reports),
    }


def _failing(report: Report) -> list[bool]:
    """Of each paraphrase program: does it return on no input on which the function does?"""
    evidence = report.evidence
    assert evidence is not None
    answered = [i for i, outcome in enumerate(evidence.target) if isinstance(outcome, Returned)]
    return [not any(isinstance(row[i], Returned) for i in answered) for row in evidence.others]


if __name__ == "__main__":
    main()
