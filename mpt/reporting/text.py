"""Reports for a person at a terminal, through rich. Texts are given to rich as text, never as markup."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from mpt.reporting import lines
from mpt.reporting.escape import printable
from mpt.values import Disagreement, Report

_STYLES = {"CONSISTENT": "green", "INCONSISTENT": "bold red", "AMBIGUOUS": "yellow", "INCONCLUSIVE": "dim"}
MOST_SHOWN = 5
"""Disagreeing inputs shown for one function; the rest are counted."""


def write_summary(console: Console, reports: Sequence[Report]) -> None:
    """How many of each verdict, and what all of it cost."""
    console.print(Text(lines.summary(reports), style="bold"))
    console.print(Text(lines.cost(lines.total(reports))))


def write_one(console: Console, report: Report, previous: Report | None = None) -> None:
    """One function: its verdict, then the inputs that show it; its file where that is not the `previous` one's."""
    if previous is None or previous.function.path != report.function.path:
        console.print(Text(printable(report.function.path), style="bold"))
    verdict, function = report.verdict, report.function
    head = Text("  ")
    head.append(f"{lines.MARKS[verdict.status]} {verdict.status:<13}", style=_STYLES[verdict.status])
    head.append(f"{printable(function.name)}", style="bold")
    head.append(f"  line {function.name_span.start.line + 1}", style="dim")
    console.print(head)
    console.print(_indented(Text(printable(verdict.reason))))
    if verdict.disagreements:
        console.print(_indented(_table(report, verdict.disagreements[:MOST_SHOWN])))
    if len(verdict.disagreements) > MOST_SHOWN:
        console.print(_indented(Text(f"… and {len(verdict.disagreements) - MOST_SHOWN} more inputs", style="dim")))
    for note in _notes(report):
        console.print(_indented(Text(f"note: {note}", style="dim")))


def _indented(shown: Text | Table) -> Padding:
    return Padding(shown, (0, 0, 0, 6))


def _table(report: Report, shown: Sequence[Disagreement]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    for title in lines.HEAD:
        table.add_column(title, header_style="dim", overflow="fold")
    for found in shown:
        table.add_row(
            Text(lines.shown_call(report, found)),
            Text(lines.shown_target(found), style="red"),
            Text(lines.shown_answers(found)),
        )
    return table


def _notes(report: Report) -> list[str]:
    name = report.function.prompt.entry_point
    doubtful = [
        f"the docstring's example {lines.shown_example(name, example)} is contradicted by most programs"
        for example in report.verdict.doubtful_examples
    ]
    reasons = Counter(printable(one.reason) for one in report.missing)
    missing = [
        f"{'a paraphrase program is' if count == 1 else f'{count} paraphrase programs are'} missing: {reason}"
        for reason, count in reasons.items()
    ]
    printed = [f"it prints: {line}" for line in lines.printed(report, 0)[:1]]
    return [*doubtful, *missing, *map(printable, report.notes), *printed]
