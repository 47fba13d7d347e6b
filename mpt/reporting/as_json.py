"""Reports as JSON, schema 1. Lines count from 1; arguments and answers are Python literals as text.

    {"schema": 1,
     "functions": [{"path", "name", "line", "status", "reason",
                    "agreement": share of comparable programs that never differ, or null,
                    "disagreements": [{"arguments": "([1, 2], 0)", "keyword": {"key": "1"}, "origin": "fuzzed",
                                       "target": "3", "others": [{"answer": "0", "programs": 4}, ..]}, ..],
                    "doubtful_examples": ["f(3) == 5", ..],
                    "programs": paraphrase programs that ran, "missing": [reason, ..], "notes": [..],
                    "printed": the beginning of what the function printed,
                    "spent": {"llm_calls", "tokens", "executions", "seconds"}}, ..]}

An answer that is no value is said in words: "raises ValueError", "did not end (time)", "<generator object>".
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from mpt import spelling
from mpt.reporting import lines
from mpt.values import Arguments, Disagreement, Report

SCHEMA = 1


def dumps(reports: Sequence[Report]) -> str:
    """The whole document, indented, ending in no newline; ASCII, so that no answer can steer a terminal."""
    return json.dumps({"schema": SCHEMA, "functions": [function(report) for report in reports]}, indent=2)


def function(report: Report) -> dict[str, Any]:
    """One entry of "functions"."""
    checked, verdict, evidence = report.function, report.verdict, report.evidence
    return {
        "path": checked.path,
        "name": checked.name,
        "line": checked.name_span.start.line + 1,
        "status": verdict.status,
        "reason": verdict.reason,
        "agreement": verdict.agreement,
        "disagreements": [_disagreement(found) for found in verdict.disagreements],
        "doubtful_examples": [
            lines.shown_example(checked.prompt.entry_point, example) for example in verdict.doubtful_examples
        ],
        "programs": len(evidence.others) if evidence else 0,
        "missing": [one.reason for one in report.missing],
        "notes": list(report.notes),
        "printed": evidence.printed[0] if evidence and evidence.printed else "",
        "spent": {
            "llm_calls": report.spent.llm_calls,
            "tokens": report.spent.tokens,
            "executions": report.spent.executions,
            "seconds": round(report.spent.seconds, 3),
        },
    }


def _disagreement(found: Disagreement) -> dict[str, Any]:
    target, *answers = spelling.outcomes([found.target, *(answer.outcome for answer in found.others)])
    return {
        "arguments": _tuple(found.arguments),
        "keyword": {name: spelling.literal(value) for name, value in found.arguments.keyword},
        "origin": found.arguments.origin,
        "target": target,
        "others": [
            {"answer": text, "programs": len(answer.programs)}
            for text, answer in zip(answers, found.others, strict=True)
        ],
    }


def _tuple(arguments: Arguments) -> str:
    spelt = [spelling.literal(value) for value in arguments.positional]
    return f"({', '.join(spelt)}{',' if len(spelt) == 1 else ''})"
