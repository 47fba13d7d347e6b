"""A Document as Markdown. A plot is its numbers where they are few; the marks of a table are left out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mpt.reporting.document import Block, Code, Document, Plot, Section, Table, Text
from mpt.reporting.escape import fence, printable
from mpt.reporting.lines import columns

FEW = 12
"""Points of a series that are still written out."""


def dumps(document: Document, *, aligned: bool = False) -> str:
    """The whole document, ending in a newline. aligned: tables as columns of text, for who reads the source."""
    parts = [f"# {_line(document.title)}", *(part for one in document.sections for part in _section(one, aligned))]
    return "\n\n".join(parts) + "\n"


def _section(section: Section, aligned: bool) -> Iterator[str]:
    yield f"{'###' if section.folded else '##'} {_line(section.title)}"
    for block in section.blocks:
        yield _block(block, aligned)


def _block(block: Block, aligned: bool) -> str:
    match block:
        case Text(text):
            return _line(text)
        case Code(text, language):
            return _fenced(text, language)
        case Table(head, rows):
            return _fenced(columns([head, *rows]), "text") if aligned else _table(block)
        case Plot():
            return _plot(block)


def _plot(plot: Plot) -> str:
    lines = [f"{_line(plot.title)} ({_line(plot.x)} → {_line(plot.y)})", ""]
    for series in plot.series:
        points = ", ".join(f"({x:.3g}, {y:.3g})" for x, y in series.points[:FEW])
        more = ", …: see the page" if len(series.points) > FEW else ""
        lines.append(f"* {_line(series.name)}: {points}{more}")
    return "\n".join(lines)


def _table(table: Table) -> str:
    return "\n".join([_row(table.head), _row(("---",) * len(table.head)), *map(_row, table.rows)])


def _row(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(_line(cell) for cell in cells) + " |"


def _line(text: str) -> str:
    """On one line, with nothing in it that Markdown would take for markup; an underscore inside a word is none."""
    return re.sub(r"[\\`*|<>\[\]#]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])", r"\\\g<0>", printable(text, 2000))


def _fenced(text: str, language: str) -> str:
    return fence("\n".join(printable(line, 1000) for line in text.splitlines()), language)
