"""Jupyter notebooks as Python: what a code cell's functions find around them is the code of the cells above."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

from mpt.errors import UsageError
from mpt.source import find_functions
from mpt.values import Function, Module, Position, Span

_MAGIC = re.compile(r"^(\s*)([%!?].*)$", re.MULTILINE)


def functions_in(text: str, path: str, module: Module | None = None) -> tuple[Function, ...]:
    """The functions of a notebook's code cells, cell by cell; `path` of each names its cell, from 1, places are in it.

    Raises UsageError for what is no notebook.
    """
    found: list[Function] = []
    above = ""
    for number, cell in enumerate(_code_cells(text, path), 1):
        lines = above.count("\n")
        those = find_functions(above + cell, f"{path}#cell{number}", module)
        found += [moved_up(function, lines) for function in those if function.span.start.line >= lines]
        above += cell
    return tuple(found)


def _code_cells(text: str, path: str) -> list[str]:
    """Each ending in a newline, its magic commands as comments."""
    try:
        cells = json.loads(text)["cells"]
        sources = [_joined(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise UsageError(f"{path}: not a Jupyter notebook of format 4; save it again in Jupyter") from None
    return [
        _MAGIC.sub(r"\1pass  # \2", source.rstrip("\n")) + "\n" for source in sources if not source.startswith("%%")
    ]


def _joined(source: Any) -> str:
    return source if isinstance(source, str) else "".join(source)


def moved_up(function: Function, lines: int) -> Function:
    """The function in a text that begins so many lines further down."""
    return replace(function, span=_up(function.span, lines), name_span=_up(function.name_span, lines))


def _up(span: Span, lines: int) -> Span:
    start, end = span.start, span.end
    return Span(Position(start.line - lines, start.column), Position(end.line - lines, end.column))
