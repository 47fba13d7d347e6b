"""Python text as a tree that survives syntax errors, and where things stand in the text.

The only module that parses with tree-sitter. Lines end in CR LF, LF or CR, as for Python and for editors; what leaves
this module, nodes apart, is counted in code points.
"""

from __future__ import annotations

import io
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Literal

import tree_sitter_python
from tree_sitter import Language, Node, Parser, Point, Range

from mpt.values import Position, Span

_PYTHON = Language(tree_sitter_python.language())


class Text:
    """A text that knows its lines.

    lines: with their ends, each as it was written; the last one has none, and may be empty.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = io.StringIO(text, newline="").readlines()
        if not self.lines or self.lines[-1].endswith(("\n", "\r")):
            self.lines.append("")
        self._starts = list(accumulate((len(line) for line in self.lines[:-1]), initial=0))
        self.byte_starts = list(accumulate((len(_encoded(line)) for line in self.lines[:-1]), initial=0))

    def offset(self, row: int, byte_column: int) -> int:
        """Of a place as Python's `ast` counts it, rows from 0 here: UTF-8 bytes in the line."""
        line = self.lines[row]
        before = byte_column if line.isascii() else len(_encoded(line)[:byte_column].decode("utf-8", "surrogatepass"))
        return self._starts[row] + before

    def offset_of_byte(self, byte: int) -> int:
        """Of a place as tree-sitter counts it: UTF-8 bytes in the whole text."""
        row = bisect_right(self.byte_starts, byte) - 1
        return min(self.offset(row, byte - self.byte_starts[row]), len(self.text))

    def position(self, offset: int) -> Position:
        row = bisect_right(self._starts, offset) - 1
        return Position(row, offset - self._starts[row])

    def span(self, start: int, end: int) -> Span:
        return Span(self.position(start), self.position(end))


PieceKind = Literal["future", "import", "definition", "other"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A top-level statement, `text[start:end]`; an import may stand inside a top-level `if`, `try` or `with`."""

    kind: PieceKind
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Definition:
    """A function definition, `text[start:end]`, decorators included.

    within: the names of the classes and functions around it, outermost first; `holder` is the innermost one's kind.
    verbatim: rows that begin inside a string, whose indentation is part of a value.
    """

    start: int
    end: int
    name_start: int
    name_end: int
    within: tuple[str, ...]
    holder: Literal["", "class", "function"]
    verbatim: frozenset[int]


def pieces(text: Text) -> tuple[Piece, ...]:
    """The top-level statements in document order, imports inside a top-level `if`, `try` or `with` among them."""
    return tuple(piece for node in _statements(text) for piece in _pieces_of(text, node))


def definitions(text: Text) -> tuple[Definition, ...]:
    """Every function and method, also inside others, in document order; also those with a syntax error inside."""
    found = []
    todo: list[tuple[Node, Node, tuple[str, ...], Literal["", "class", "function"]]]
    todo = [(node, node, (), "") for node in reversed(_statements(text))]
    while todo:
        node, outer, within, holder = todo.pop()
        name = _name_of(node)
        if name is not None and node.type != "class_definition":
            found.append(_definition(text, node, outer, name, within, holder))
        if name is not None and node.type != "ERROR":
            within = (*within, _text_of(name))
            holder = "class" if node.type == "class_definition" else "function"
        for child in reversed(node.children):
            todo.append((child, outer if node.type == "decorated_definition" else child, within, holder))
    return tuple(found)


def _definition(
    text: Text,
    node: Node,
    outer: Node,
    name: Node,
    within: tuple[str, ...],
    holder: Literal["", "class", "function"],
) -> Definition:
    first = outer if node.type != "ERROR" else next(child for child in node.children if child.type == "def")
    return Definition(
        text.offset_of_byte(first.start_byte),
        text.offset_of_byte(_end_byte(outer)),
        text.offset_of_byte(name.start_byte),
        text.offset_of_byte(name.end_byte),
        within,
        holder,
        _rows_inside_strings(node),
    )


def _name_of(node: Node) -> Node | None:
    """Of a function, a class, or a function whose first line is broken."""
    if node.type in ("function_definition", "class_definition"):
        return node.child_by_field_name("name")
    if node.type == "ERROR":
        for word, name in pairwise(node.children):
            if word.type == "def" and name.type == "identifier":
                return name
    return None


def _rows_inside_strings(node: Node) -> frozenset[int]:
    """Rows that begin inside a string, the docstring apart: there the text is written for people."""
    rows: set[int] = set()
    todo = list(node.children)
    while todo:
        child = todo.pop()
        if child.type == "string":
            rows.update(range(child.start_point.row + 1, child.end_point.row + 1))
        elif not _is_docstring(child):
            todo.extend(child.children)
    return frozenset(rows)


def _is_docstring(node: Node) -> bool:
    parent = node.parent
    return (
        node.type == "expression_statement"
        and [child.type for child in node.children] == ["string"]
        and parent is not None
        and parent.type == "block"
        and parent.parent is not None
        and parent.parent.type == "function_definition"
    )


# --- statements -----------------------------------------------------------------------------------


def _pieces_of(text: Text, node: Node) -> Iterator[Piece]:
    yield _piece(text, node)
    todo = list(reversed(node.children)) if node.type in _GUARDS else []
    while todo:
        child = todo.pop()
        if _KINDS.get(child.type) == "import":
            yield _piece(text, child)
        elif child.type in _GUARDS or child.type in _CLAUSES:
            todo.extend(reversed(child.children))


def _piece(text: Text, node: Node) -> Piece:
    kind = _KINDS.get(node.type, "other")
    return Piece(kind, text.offset_of_byte(node.start_byte), text.offset_of_byte(_end_byte(node)))


def _end_byte(node: Node) -> int:
    """The end of a statement, what stands indented below it included: the parser leaves out what it cannot read."""
    end, below = node, node.next_sibling
    while below is not None and below.start_point.row > end.end_point.row:
        if below.type != "comment":
            if below.start_point.column <= node.start_point.column:
                break
            end = below
        below = below.next_sibling
    return end.end_byte


_KINDS: dict[str, PieceKind] = {
    "import_statement": "import",
    "import_from_statement": "import",
    "future_import_statement": "future",
    "function_definition": "definition",
    "class_definition": "definition",
    "decorated_definition": "definition",
    "type_alias_statement": "definition",
    "expression_statement": "definition",
}
_GUARDS = frozenset({"if_statement", "try_statement", "with_statement"})
_CLAUSES = frozenset({"block", "elif_clause", "else_clause", "except_clause", "except_group_clause", "finally_clause"})


def _statements(text: Text) -> list[Node]:
    """The top-level nodes. Where some are broken, the text is cut where statements surely begin and parsed anew:
    one open bracket would otherwise swallow the rest of the file."""
    data = _bytes(text)
    nodes = Parser(_PYTHON).parse(data).root_node.children
    if not any(node.has_error for node in nodes):
        return nodes
    at = [*text.byte_starts, len(data)]
    parts = [Range(Point(start, 0), Point(end, 0), at[start], at[end]) for start, end in pairwise(_cuts(text, nodes))]
    return [node for part in parts for node in Parser(_PYTHON, included_ranges=[part]).parse(data).root_node.children]


_STARTERS = ("def ", "async def ", "class ", "@", "import ", "from ")


def _cuts(text: Text, nodes: Sequence[Node]) -> list[int]:
    """Rows at which to cut, the first and the one past the last included."""
    sound = {
        row for node in nodes if not node.has_error for row in range(node.start_point.row + 1, node.end_point.row + 1)
    }
    cuts, decorating = [0], False
    for row, line in enumerate(text.lines):
        if row not in sound and line.startswith(_STARTERS):
            if row > 0 and not decorating:
                cuts.append(row)
            decorating = line.startswith("@")
    return [*cuts, len(text.lines)]


def nodes(code: str) -> Iterator[Node]:
    """Every node, those around before those inside."""
    todo = [Parser(_PYTHON).parse(_bytes(Text(code))).root_node]
    while todo:
        node = todo.pop()
        yield node
        todo.extend(reversed(node.children))


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _bytes(text: Text) -> bytes:
    """UTF-8 that tree-sitter reads as Python would, every place where it was: a lone CR is a line's end for it as
    well, a lone surrogate is three bytes of something else."""
    unix = "".join(line[:-1] + "\n" if line.endswith("\r") else line for line in text.lines)
    return re.sub("[\ud800-\udfff]", "\ufffd", unix).encode()


def _text_of(node: Node) -> str:
    return (node.text or b"").decode()
