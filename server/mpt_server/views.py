"""What is known of one open document: its functions, where they stand now, and the report on each.

Functions move with the edits around them, and are dropped as soon as an edit touches them; the next reading of the
whole text (`reading`) brings back those whose text is known.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from lsprotocol import types

from mpt.values import Function, Position, Report, Span
from mpt_server.documents import Document, Edit, canonical
from mpt_server.notebooks import Notebook
from mpt_server.settings import Effective


@dataclass(frozen=True, slots=True)
class Found:
    """A function of a document, with its provenance.

    key: the fingerprint of its text, under which its report is kept.
    wanted: the settings, its comments and its provenance ask for its check.
    hidden: a comment or a setting says to leave it alone, so nothing is shown of it.
    accepted: the person has said that it is as it should be.
    """

    function: Function
    key: str
    report: Report | None = None
    wanted: bool = False
    hidden: bool = False
    accepted: bool = False

    @property
    def identity(self) -> tuple[str, int]:
        return self.function.name, self.function.ordinal

    @property
    def shown(self) -> Report | None:
        """The report, where it is to be seen."""
        return None if self.hidden else self.report

    @property
    def disagrees(self) -> bool:
        """There is something to look at that the person has not accepted."""
        status = self.shown.verdict.status if self.shown else None
        return status in ("INCONSISTENT", "AMBIGUOUS") and not self.accepted


@dataclass(eq=False)
class View:
    """An open document and what is shown of it.

    notebook: the one it is a cell of.
    read: the version of the text that `found` was last read from; None before the first time.
    reading_soon, checking_soon: what happens when the text is left alone for a while.
    published, seen: what the client was last told, to tell it news only.
    """

    document: Document
    root: Path
    notebook: Notebook | None = None
    effective: Effective | None = None
    found: tuple[Found, ...] = ()
    read: int | None = None
    published: Sequence[types.Diagnostic] = field(default_factory=list)
    seen: object = ()
    reading: asyncio.Task[None] | None = None
    reading_soon: asyncio.TimerHandle | None = None
    checking_soon: asyncio.TimerHandle | None = None

    @property
    def uri(self) -> str:
        """The canonical spelling; the client's own is `document.uri`."""
        return canonical(self.document.uri)

    def is_below(self, place: str) -> bool:
        """Whether it is, or is part of, the file or folder of that canonical URI."""
        own = canonical(self.notebook.uri) if self.notebook else self.uri
        return own == place or own.startswith(place + "/")

    def at(self, position: Position) -> Found | None:
        """The innermost function around a place."""
        around = [one for one in self.found if one.function.span.start <= position <= one.function.span.end]
        return max(around, key=lambda one: one.function.span.start, default=None)


def after(found: Iterable[Found], edit: Edit) -> tuple[Found, ...]:
    """The functions the edit leaves alone, where they stand now."""
    return tuple(moved for one in found if (moved := _moved(one, edit)) is not None)


def of(found: Found, function: Function) -> Found:
    """The same, of `function` as it is now."""
    return replace(found, function=function, report=found.report and replace(found.report, function=function))


def _moved(found: Found, edit: Edit) -> Found | None:
    span = found.function.span
    if edit.removed.start > span.end or _is_line_below(span, edit):
        return found
    if edit.removed.end > span.start:
        return None
    name_span = _shifted(found.function.name_span, edit)
    return of(found, replace(found.function, span=_shifted(span, edit), name_span=name_span))


def _is_line_below(span: Span, edit: Edit) -> bool:
    """A new line begun at the function's very end."""
    return edit.removed == Span(span.end, span.end) and edit.text[:1] in ("\r", "\n")


def _shifted(span: Span, edit: Edit) -> Span:
    """Where a span that lies behind the edit stands afterwards."""
    return Span(_place(span.start, edit), _place(span.end, edit))


def _place(position: Position, edit: Edit) -> Position:
    if position.line > edit.removed.end.line:
        return Position(position.line + edit.end.line - edit.removed.end.line, position.column)
    return Position(edit.end.line, position.column - edit.removed.end.column + edit.end.column)
