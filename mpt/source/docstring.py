"""A docstring's ordered segments: descriptions to reword, examples to keep and run, and the rest to keep.

`split` cuts a string literal's own text, escapes untouched, so joined segments are the literal byte for byte. An
example's segment begins at its line's indentation; a description's goes from its first letter to its last.
When in doubt a line is description where it reads as prose, and `other` where it would not survive rewording (tables,
headings, names of fields).
"""

from __future__ import annotations

import ast
import re
import textwrap
import unicodedata
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from mpt.source import doclines
from mpt.values import Segment, SegmentKind

_OPENING = re.compile(r"(?i:r|u)?(\"\"\"|'''|\"|')")


@dataclass(frozen=True, slots=True)
class Literal:
    """A string literal in three: `r'''`, what is between, `'''`."""

    opening: str
    content: str
    closing: str

    @property
    def raw(self) -> bool:
        return "r" in self.opening.lower()


def literal(text: str) -> Literal | None:
    """None where `text` is not one plain string literal (an f-string, bytes, two joined ones)."""
    match = _OPENING.match(text)
    if match is None or len(text) < match.end() + len(match[1]) or not text.endswith(match[1]):
        return None
    content = text[match.end() : -len(match[1])]
    plain = re.sub(r"\\.", "", content, flags=re.DOTALL)
    return None if match[1] in plain else Literal(match[0], content, match[1])


def split(text: str) -> tuple[Segment, ...]:
    """The segments of a string literal; a single `other` where it is not a plain one."""
    parts = literal(text)
    if parts is None:
        return (Segment("other", text),)
    return _joined(parts.opening, split_content(parts.content), parts.closing)


def split_content(content: str) -> tuple[Segment, ...]:
    """The segments of a docstring without its quotes."""
    segments, at = [], 0
    for mark in _merged(content, list(_marks(content))):
        segments.append(Segment("other", content[at : mark.start]))
        segments.append(Segment(mark.kind, content[mark.start : mark.end]))
        at = mark.end
    segments.append(Segment("other", content[at:]))
    return tuple(segment for segment in segments if segment.text)


def _joined(opening: str, segments: Sequence[Segment], closing: str) -> tuple[Segment, ...]:
    """The quotes put into the `other` segments beside them."""
    joined: list[Segment] = []
    for segment in (Segment("other", opening), *segments, Segment("other", closing)):
        if joined and joined[-1].kind == segment.kind == "other":
            joined[-1] = Segment("other", joined[-1].text + segment.text)
        else:
            joined.append(segment)
    return tuple(joined)


# --- from lines to marks --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Mark:
    """A stretch of the content that is no `other`. `apart`: not to be merged with the description before it."""

    kind: SegmentKind
    start: int
    end: int
    apart: bool = False


def _merged(content: str, marks: Sequence[_Mark]) -> list[_Mark]:
    """Lines of description become one stretch, blank lines inside included; what says nothing is dropped."""
    merged: list[_Mark] = []
    for mark in marks:
        last = merged[-1] if merged else None
        if (
            last is not None
            and last.kind == mark.kind == "description"
            and not mark.apart
            and not content[last.end : mark.start].strip()
        ):
            merged[-1] = _Mark("description", last.start, mark.end)
        else:
            merged.append(mark)
    return [mark for mark in merged if mark.kind == "example" or _says_something(content[mark.start : mark.end])]


def _says_something(text: str) -> bool:
    return sum(map(str.isalpha, text)) >= 2


def _marks(content: str) -> Iterator[_Mark]:
    """Walks over the lines once; a heading changes what the lines below may be."""
    lines = content.splitlines(keepends=True)
    starts = list(accumulate(map(len, lines), initial=0))
    under: doclines.Heading | None = None
    row = 0
    while row < len(lines):
        end = doclines.example_end(lines, row, in_examples=under == "examples")
        if end > row:
            shown = content[starts[row] : starts[end]].rstrip()
            yield _Mark("example", starts[row], starts[row] + len(shown))
        elif headed := doclines.heading(lines, row):
            under = headed
        elif not doclines.is_kept(lines, row, under):
            yield _description(lines[row], starts[row], in_section=under == "section")
            end = doclines.block_end(lines, row)
        row = max(end, row + 1)


def _description(line: str, at: int, *, in_section: bool) -> _Mark:
    field = doclines.field_end(line, in_section=in_section)
    start = field or doclines.indent(line)
    return _Mark("description", at + start, max(at + start, at + len(line.rstrip())), apart=field > 0)


# --- a new text in a description's place ----------------------------------------------------------


def opening(text: str) -> str:
    """The quotes a string literal begins with, its prefix included. Raises ValueError where it is none."""
    match = _OPENING.match(text)
    if match is None:
        raise ValueError("not a string literal")
    return match[0]


def fit(new: str, old: str, before: str, opening: str) -> str:
    """`new` wrapped and indented as `old` was, and spelt so that it neither ends the literal nor breaks an escape.

    before: what stands before `old`, from the signature on. opening: of the literal both belong to.
    """
    quote = opening.lstrip("rRuU")
    text = "".join(char for char in new if char in "\n\t" or unicodedata.category(char) not in ("Cc", "Cs")).strip()
    if len(quote) == 1:
        text = " ".join(text.split()).replace(quote, _OTHER_QUOTE[quote])
    else:
        text = _wrapped(text, _indentation(old, before), max(map(len, (before + old).splitlines()), default=0))
        text = text.replace(quote, _OTHER_QUOTE[quote[0]] * 3)
    text = _escaped(text, opening)
    return text + " " if text.endswith(quote[0]) else text


_OTHER_QUOTE = {'"': "'", "'": '"'}
_MIN_WIDTH, _MAX_WIDTH = 72, 120


def _indentation(old: str, before: str) -> str:
    """That of the old text's second line; else of its first; else, beside a field's name, four deeper than that."""
    below = [line for line in old.splitlines()[1:] if line.strip()]
    if below:
        return below[0][: doclines.indent(below[0])]
    line = before.splitlines()[-1] if before and before[-1] not in "\r\n" else ""
    own = line[: doclines.indent(line)]
    beside_quotes = _OPENING.fullmatch(line.strip())
    return own if not line.strip() or beside_quotes else own + "    "


def _wrapped(text: str, indentation: str, width: int) -> str:
    room = min(max(width, _MIN_WIDTH), _MAX_WIDTH) - len(indentation)
    lines: list[str] = []
    for line in text.splitlines():
        deeper = line[: doclines.indent(line)]
        wrapped = textwrap.wrap(
            line.strip(), max(room, 20), initial_indent=deeper, subsequent_indent=deeper,
            break_long_words=False, break_on_hyphens=False,
        )  # fmt: skip
        lines.extend(wrapped or [""])
    return "\n".join([lines[0], *(indentation + line if line else "" for line in lines[1:])]) if lines else ""


def _escaped(text: str, opening: str) -> str:
    """Escapes stay where Python reads all of them; else every backslash is taken for itself."""
    quote = opening.lstrip("rRuU")
    if "r" in opening.lower():
        return text.rstrip("\\")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            ast.literal_eval(f"{opening}{text} {quote}")
        except (SyntaxError, ValueError):
            return text.replace("\\", "\\\\")
    return text
