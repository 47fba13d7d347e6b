"""What is known of one open document: its functions, where they stand now, and the report on each.

Functions move with the edits around them, and are dropped as soon as an edit touches them; the next analysis of the
whole text brings back those whose text is known.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from mpt.settings import Settings
from mpt.values import Function, Position, Report, Span
from mpt_server.documents import Edit
from mpt_server.verdicts import Reports, fingerprint


@dataclass(frozen=True, slots=True)
class Found:
    """A function of a document. key: the fingerprint of its text, under which its report is kept."""

    function: Function
    key: str
    report: Report | None = None

    @property
    def identity(self) -> tuple[str, int]:
        return self.function.name, self.function.ordinal


def analyse(code: str, path: str, settings: Settings, reports: Reports) -> tuple[Found, ...]:
    """All functions of a text, with the reports that are known. For a thread: it parses, and reads the store."""
    from mpt.source import find_functions  # here, so that initialize is answered before a parser is loaded

    found = []
    for function in find_functions(code, path):
        key = fingerprint(function, settings)
        found.append(Found(function, key, reports.get(key, function)))
    return tuple(found)


def after(found: Iterable[Found], edit: Edit) -> tuple[Found, ...]:
    """The functions the edit leaves alone, where they stand now."""
    return tuple(moved for one in found if (moved := _moved(one, edit)) is not None)


def _moved(found: Found, edit: Edit) -> Found | None:
    span = found.function.span
    if edit.removed.start > span.end or _is_line_below(span, edit):
        return found
    if edit.removed.end > span.start:
        return None
    function = replace(found.function, span=shifted(span, edit), name_span=shifted(found.function.name_span, edit))
    return replace(found, function=function, report=found.report and replace(found.report, function=function))


def _is_line_below(span: Span, edit: Edit) -> bool:
    """A new line begun at the function's very end."""
    return edit.removed == Span(span.end, span.end) and edit.text[:1] in ("\r", "\n")


def shifted(span: Span, edit: Edit) -> Span:
    """Where a span that lies behind the edit stands afterwards."""
    return Span(_shifted(span.start, edit), _shifted(span.end, edit))


def _shifted(position: Position, edit: Edit) -> Position:
    if position.line > edit.removed.end.line:
        return Position(position.line + edit.end.line - edit.removed.end.line, position.column)
    return Position(edit.end.line, position.column - edit.removed.end.column + edit.end.column)


def path_text(path: Path | None, uri: str) -> str:
    """How the document is called in reports and keys."""
    return str(path) if path else uri
