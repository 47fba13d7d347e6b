"""Reports as JUnit XML, which CI systems show as tests: one test case a function, one test suite a file.

INCONSISTENT is a failure, INCONCLUSIVE is skipped with its reason; what AMBIGUOUS and the notes say is in system-out.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from xml.etree import ElementTree

from mpt.reporting import lines
from mpt.reporting.escape import printable
from mpt.reporting.findings import finding
from mpt.values import Report

MOST_SHOWN = 20
"""Disagreeing inputs of one function."""


def dumps(reports: Sequence[Report]) -> str:
    """The whole document, ending in no newline."""
    root = ElementTree.Element("testsuites", {"name": "mpt", **_counts(reports)})
    for path, group in groupby(reports, key=lambda report: report.function.path):
        members = list(group)
        suite = ElementTree.SubElement(root, "testsuite", {"name": printable(path), **_counts(members)})
        for report in members:
            _add(suite, report)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode")


def _counts(reports: Sequence[Report]) -> dict[str, str]:
    statuses = [report.verdict.status for report in reports]
    return {
        "tests": str(len(statuses)),
        "failures": str(statuses.count("INCONSISTENT")),
        "skipped": str(statuses.count("INCONCLUSIVE")),
        "time": f"{lines.total(reports).seconds:.3f}",
    }


def _add(suite: ElementTree.Element, report: Report) -> None:
    function, verdict = report.function, report.verdict
    case = ElementTree.SubElement(
        suite,
        "testcase",
        name=printable(function.name),
        classname=printable(function.path),
        file=printable(function.path),
        line=str(function.name_span.start.line + 1),
        time=f"{report.spent.seconds:.3f}",
    )
    marked = finding(report)
    if verdict.status == "INCONCLUSIVE":
        ElementTree.SubElement(case, "skipped", message=printable(verdict.reason, 1000))
    elif verdict.status == "INCONSISTENT":
        message = marked.message if marked else printable(verdict.reason, 1000)
        ElementTree.SubElement(case, "failure", type=verdict.status, message=message).text = lines.table(
            report, MOST_SHOWN
        )
    said = [marked.message] if marked and verdict.status == "AMBIGUOUS" else []
    said += [printable(note, 1000) for note in report.notes]
    if said:
        ElementTree.SubElement(case, "system-out").text = "\n".join(said)
