"""Data frames with the columns that a function's body names: `df["price"]`, `df.groupby("city")`, `df[["a", "b"]]`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from mpt.source.names import parsed
from mpt.types.known import Known, NotInstalled, frames
from mpt.values import Shape

_MOST = 6
_FRAMES = ("df", "frame", "dataframe")
_NAMES_COLUMNS = frozenset(
    (
        *("groupby", "sort_values", "set_index", "drop_duplicates", "dropna", "merge", "pivot", "pivot_table", "melt"),
        *("drop", "nlargest", "nsmallest", "value_counts", "explode", "filter", "get", "pop", "duplicated"),
    )
)
_BY_NAME = frozenset(("by", "on", "left_on", "subset", "columns", "index", "values", "id_vars", "value_vars", "keys"))


def frame_of(name: str, source: str, known: Known) -> Shape | None:
    """A data frame, for a parameter that is called like one and used like one."""
    if name not in _FRAMES or not re.search(rf"\b{name}(?:\[|\.(?:i?loc|columns|groupby|merge|sort_values)\b)", source):
        return None
    try:
        return known.of_name("DataFrame")
    except NotInstalled:
        return None


def with_columns(shape: Shape, name: str, source: str) -> Shape:
    """The shape, its data frames with the columns that `source` reads of the parameter; as it is where none are."""
    if shape.kind == "union":
        found = [with_columns(item, name, source) for item in shape.items]
        flat = [one for item in found for one in (item.items if item.kind == "union" else (item,))]
        return replace(shape, items=tuple(dict.fromkeys(flat)))
    if shape.kind != "call" or shape.call != "pandas.DataFrame":
        return shape
    columns = columns_of(name, source)
    return frames(columns) if columns else shape


def columns_of(name: str, source: str) -> tuple[str, ...]:
    """The columns in the order in which the body names them first."""
    found = sorted(at_and_text for node in ast.walk(parsed(source)) for at_and_text in _named(node, name))
    return tuple(dict.fromkeys(text for _, _, text in found))[:_MOST]


def _named(node: ast.AST, name: str) -> Iterator[tuple[int, int, str]]:
    """Texts, and where they stand."""
    match node:
        case ast.Subscript(value=value, slice=inside, ctx=ast.Load()) if _starts_with(value, name):
            yield from _texts(inside)
        case ast.Call(func=ast.Attribute(value=value, attr=method), args=args, keywords=keywords) if (
            method in _NAMES_COLUMNS and _starts_with(value, name)
        ):
            named = [keyword.value for keyword in keywords if keyword.arg in _BY_NAME]
            for one in (*args, *named):
                yield from _texts(one)


def _starts_with(node: ast.expr, name: str) -> bool:
    """Is it the parameter, or what a chain of calls and subscripts on it gives?"""
    while isinstance(node, ast.Attribute | ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    return isinstance(node, ast.Name) and node.id == name


def _texts(node: ast.expr) -> Iterator[tuple[int, int, str]]:
    match node:
        case ast.Constant(value=str(text)):
            yield node.lineno, node.col_offset, text
        case ast.List(elts=elts) | ast.Tuple(elts=elts):
            for one in elts:
                yield from _texts(one)
