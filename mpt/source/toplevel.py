"""What a module provides at its top level: imports and definitions, each with the names it binds and needs."""

from __future__ import annotations

from dataclasses import dataclass

from mpt.source import names, syntax
from mpt.source.names import Pool, Statement
from mpt.source.syntax import Text


@dataclass(frozen=True, slots=True)
class TopLevel:
    """What stands at the top level of a text.

    context: its import statements, `from __future__` first; futures: those alone, one a feature.
    pool: its imports, one a name, and its definitions, in order. imported, defined: the names these bind.
    """

    context: str
    futures: str
    pool: Pool
    imported: frozenset[str]
    defined: frozenset[str]


def read_module(text: Text) -> TopLevel:
    """Whatever of it can be read."""
    imports: list[str] = []
    futures: list[str] = []
    statements: list[Statement] = []
    imported: set[str] = set()
    defined: set[str] = set()
    for piece in syntax.pieces(text):
        code = text.text[piece.start : piece.end] + "\n"
        try:
            if piece.kind == "definition":
                statements.append(names.statement(code))
                defined |= statements[-1].binds
            elif piece.kind == "import":
                singles = names.imports(code, imported)
                statements.extend(singles)
                imported.update(*(one.binds for one in singles))
                imports.append(code)
            elif piece.kind == "future":
                futures.extend(names.future_imports(code))
        except SyntaxError:
            continue
    context = "".join(futures + imports)
    return TopLevel(context, "".join(futures), Pool(statements), frozenset(imported), frozenset(defined))
