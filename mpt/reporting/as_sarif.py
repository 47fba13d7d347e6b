"""Reports as SARIF 2.1.0 (OASIS), which code hosts show at the lines of a change.

A result is what `findings` marks; why a function could not be judged is a notification of the run. Paths are relative
to the folder that mpt runs in, where they lie in it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mpt import __version__
from mpt.reporting.escape import printable
from mpt.reporting.findings import DOCS, MEANING, Finding, finding
from mpt.values import Report, Span

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "information": "note"}
_RULES = list(MEANING)


def dumps(reports: Sequence[Report]) -> str:
    """The whole document, indented, ending in no newline."""
    found = [(report, marked) for report in reports if (marked := finding(report)) is not None]
    mute = [report for report in reports if report.verdict.status == "INCONCLUSIVE"]
    run = {
        "tool": {"driver": _driver()},
        "columnKind": "unicodeCodePoints",
        "results": [_result(report, marked) for report, marked in found],
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": list(map(_mute, mute))}],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _driver() -> dict[str, Any]:
    rules = [{"id": code, "shortDescription": {"text": f"The function {text}."}} for code, text in MEANING.items()]
    return {
        "name": "mpt",
        "version": __version__,
        "informationUri": DOCS,
        "rules": rules,
    }


def _result(report: Report, marked: Finding) -> dict[str, Any]:
    return {
        "ruleId": marked.code,
        "ruleIndex": _RULES.index(marked.code),
        "level": _LEVELS[marked.level],
        "message": {"text": f"{report.function.name}: {marked.message}"},
        "locations": [_location(report)],
        "partialFingerprints": {"function/v1": _fingerprint(report, marked)},
    }


def _mute(report: Report) -> dict[str, Any]:
    text = f"{report.function.name} could not be judged: {printable(report.verdict.reason, 1000)}"
    return {"level": "note", "message": {"text": text}, "locations": [_location(report)]}


def _location(report: Report) -> dict[str, Any]:
    file = {"uri": _uri(report.function.path)}
    region = _region(report.function.name_span)
    logical = [{"fullyQualifiedName": report.function.name, "kind": "function"}]
    return {"physicalLocation": {"artifactLocation": file, "region": region}, "logicalLocations": logical}


def _uri(path: str) -> str:
    """Relative where it lies in the folder that mpt runs in."""
    whole, here = Path(path).absolute().as_uri(), Path.cwd().as_uri().rstrip("/") + "/"
    return whole.removeprefix(here)


def _region(span: Span) -> dict[str, int]:
    """Lines and columns count from 1; the end's column is the one behind."""
    start, end = span.start, span.end
    return {
        "startLine": start.line + 1,
        "startColumn": start.column + 1,
        "endLine": end.line + 1,
        "endColumn": end.column + 1,
    }


def _fingerprint(report: Report, marked: Finding) -> str:
    """The same while the function is called so and is marked so, wherever in the file it stands."""
    function = report.function
    text = "\0".join((_uri(function.path), function.name, str(function.ordinal), marked.code))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
