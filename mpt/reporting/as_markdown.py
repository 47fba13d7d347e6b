"""A Document as Markdown. A plot is its numbers where they are few."""

from __future__ import annotations

from collections.abc import Iterator

from mpt.reporting.document import Block, Code, Document, Plot, Section, Table, Text
from mpt.reporting.escape import printable

FEW = 12
"""Points of a series that are still written out."""


def dumps(document: Document) -> str:
    """The whole document, ending in a newline."""
    parts = [f"# {_line(document.title)}", *(part for one in document.sections for part in _section(one))]
    return "\n\n".join(parts) + "\n"


def _section(section: Section) -> Iterator[str]:
    yield f"{'###' if section.folded else '##'} {_line(section.title)}"
    yield from map(_block, section.blocks)


def _block(block: Block) -> str:
    match block:
        case Text(text):
            return _line(text)
        case Code(text):
            return _fenced(text)
        case Table(head, rows):
            return "\n".join([_row(head), _row(("---",) * len(head)), *map(_row, rows)])
        case Plot():
            return _plot(block)


def _plot(plot: Plot) -> str:
    lines = [f"{_line(plot.title)} ({_line(plot.x)} → {_line(plot.y)})", ""]
    for series in plot.series:
        points = ", ".join(f"({x:.3g}, {y:.3g})" for x, y in series.points[:FEW])
        more = ", …: see the page" if len(series.points) > FEW else ""
        lines.append(f"* {_line(series.name)}: {points}{more}")
    return "\n".join(lines)


def _row(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(_line(cell) for cell in cells) + " |"


def _line(text: str) -> str:
    """On one line, with nothing in it that Markdown would take for markup."""
    shown = printable(text, 2000)
    return "".join("\\" + char if char in "\\`*_|<>[]#" else char for char in shown)


def _fenced(text: str) -> str:
    shown = "\n".join(printable(line, 1000) for line in text.splitlines())
    fence = "```"
    while fence in shown:
        fence += "`"
    return f"{fence}\n{shown}\n{fence}"
