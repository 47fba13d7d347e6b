"""Columns as editors count them ↔ columns as Python does (code points); lines as LSP cuts them.

Only \\n, \\r\\n and \\r end a line: `str.splitlines` would also cut at form feeds and other separators.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Literal

from lsprotocol import types

from mpt.values import Position, Span

Encoding = Literal["utf-8", "utf-16", "utf-32"]
"""What a client counts characters in; UTF-16 unless another was agreed on."""


def encoding_of(agreed: str | None) -> Encoding:
    """What initialize agreed on, as pygls spells it."""
    return "utf-8" if agreed == "utf-8" else "utf-32" if agreed == "utf-32" else "utf-16"


def split_lines(text: str) -> list[str]:
    """The lines with their ends; the last one has none, and may be empty."""
    lines = io.StringIO(text, newline="").readlines()
    if not lines or lines[-1].endswith(("\n", "\r")):
        lines.append("")
    return lines


def without_end(line: str) -> str:
    return line.rstrip("\r\n")


def width(text: str, encoding: Encoding) -> int:
    """The length of `text` in the client's units. A lone surrogate counts as one UTF-16 unit, three of UTF-8."""
    if encoding == "utf-32" or text.isascii():
        return len(text)
    if encoding == "utf-16":
        return len(text) + sum(char > "\uffff" for char in text)
    return len(text.encode("utf-8", "surrogatepass"))


def column(line: str, units: int, encoding: Encoding) -> int:
    """The code point at `units`; the line's end where that lies beyond, the character's start where it lies within."""
    text = without_end(line)
    if encoding == "utf-32" or text.isascii():
        return min(units, len(text))
    left = units
    for index, char in enumerate(text):
        left -= width(char, encoding)
        if left < 0:
            return index
    return len(text)


def from_client(lines: Sequence[str], position: types.Position, encoding: Encoding) -> Position:
    """The place meant by a client; the text's end where it names a line beyond."""
    if position.line >= len(lines):
        return Position(len(lines) - 1, len(without_end(lines[-1])))
    return Position(position.line, column(lines[position.line], position.character, encoding))


def to_client(lines: Sequence[str], position: Position, encoding: Encoding) -> types.Position:
    """The place for a client; the text's end where `position` lies beyond."""
    if position.line >= len(lines):
        position = Position(len(lines) - 1, len(lines[-1]))
    before = lines[position.line][: position.column]
    return types.Position(line=position.line, character=width(before, encoding))


def range_to_client(lines: Sequence[str], span: Span, encoding: Encoding) -> types.Range:
    return types.Range(to_client(lines, span.start, encoding), to_client(lines, span.end, encoding))
