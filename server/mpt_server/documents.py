"""The documents a client has open, spelt and counted as it does."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from lsprotocol import types

from mpt.values import Position, Span
from mpt_server.positions import Encoding, from_client, split_lines, without_end


@dataclass(frozen=True, slots=True)
class Edit:
    """`removed` gave way to `text`, which now ends at `end`; code points.

    old, new: the whole lines it touched, before and after, without their ends.
    """

    removed: Span
    text: str
    end: Position
    old: tuple[str, ...] = ()
    new: tuple[str, ...] = ()


class Document:
    """An open text. `uri` is the client's own spelling of it: whatever is sent back uses that."""

    def __init__(
        self, uri: str, version: int, text: str, encoding: Encoding = "utf-16", notebook: Path | None = None
    ) -> None:
        """notebook: the file that a cell is part of."""
        self.uri = uri
        self.version = version
        self.lines = split_lines(text)
        self._encoding = encoding
        self._notebook = notebook

    @property
    def text(self) -> str:
        return "".join(self.lines)

    @property
    def path(self) -> Path | None:
        """The file that holds this very text."""
        return path_of(self.uri)

    @property
    def place(self) -> Path | None:
        """The file by which its root, its settings and its interpreter are found."""
        return self._notebook or self.path

    def position(self, place: types.Position) -> Position:
        return from_client(self.lines, place, self._encoding)

    def span(self, places: types.Range) -> Span:
        """The stretch a client means, whichever end it names first."""
        start, end = sorted((self.position(places.start), self.position(places.end)))
        return Span(start, end)

    def apply(self, change: types.TextDocumentContentChangeEvent) -> Edit:
        """Makes one change of a didChange; `version` is the caller's to move on."""
        if isinstance(change, types.TextDocumentContentChangePartial):
            return self._replace(self.span(change.range), change.text)
        last = Position(len(self.lines) - 1, len(self.lines[-1]))
        return self._replace(Span(Position(0, 0), last), change.text)

    def _replace(self, span: Span, text: str) -> Edit:
        start, end = span.start, span.end
        old = tuple(map(without_end, self.lines[start.line : end.line + 1]))
        head = self.lines[start.line][: start.column]
        tail = self.lines[end.line][end.column :]
        inserted = split_lines(text)
        row = start.line + len(inserted) - 1
        column = len(inserted[-1]) + (start.column if len(inserted) == 1 else 0)
        # One line more on either side: \r and \n may have met, or have been parted.
        first, last = max(start.line - 1, 0), min(end.line + 1, len(self.lines) - 1)
        before = "".join(self.lines[first : start.line]) + head
        after = tail + "".join(self.lines[end.line + 1 : last + 1])
        fresh = split_lines(before + text + after)
        if last < len(self.lines) - 1:
            fresh.pop()  # the empty line behind the last end belongs to the line that follows
        self.lines[first : last + 1] = fresh
        new = tuple(map(without_end, split_lines(head + text + without_end(tail))))
        return Edit(span, text, Position(row, column), old, new)


def canonical(uri: str) -> str:
    """One spelling for all spellings of a URI: nothing percent-encoded, the drive letter small."""
    plain = unquote(uri, errors="surrogateescape")
    scheme, colon, rest = plain.partition(":")
    drive = re.match(r"(///?)([A-Za-z]):", rest)
    if drive:
        rest = "///" + drive[2].lower() + rest[drive.end(2) :]
    return scheme.lower() + colon + rest


def path_of(uri: str) -> Path | None:
    """The file a URI names; None where it names none (an untitled document, a notebook's cell)."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    if parts.scheme.lower() != "file" or "\x00" in unquote(parts.path):
        return None
    return Path(_file_name(parts.path))


def _file_name(path: str) -> str:
    if sys.platform != "win32":
        return unquote(path)
    from urllib.request import url2pathname  # brings HTTP along: 30 ms of every start

    return url2pathname(path)
