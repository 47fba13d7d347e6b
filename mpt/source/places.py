"""Where a function stands in its module, and what it needs there: does it need the module at all, can it be reached?"""

from __future__ import annotations

import ast
import symtable
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace

from mpt.source import names, syntax
from mpt.source.names import Pool, Statement
from mpt.source.syntax import Definition, Text
from mpt.values import Function, Kind, Module, Place

_AnyFunction = ast.FunctionDef | ast.AsyncFunctionDef
_IMPLICIT: dict[str, Kind] = {
    "__new__": "constructor",
    "__init_subclass__": "class method",
    "__class_getitem__": "class method",
}
_DECORATED: dict[str, Kind] = {
    "staticmethod": "static method",
    "classmethod": "class method",
    "property": "property",
    "cached_property": "property",
    "abstractproperty": "property",
}
_OF_PROPERTY: dict[str, Kind] = {"setter": "setter", "deleter": "deleter", "getter": "property"}


def place_of(
    module: Module, top: symtable.SymbolTable | None, definition: Definition, node: _AnyFunction
) -> Place | str:
    """Where a program takes the function's place; or why it cannot, as a sentence without full stop.

    top: the module's symbols, None where it does not parse.
    """
    if definition.holder == "":
        return Place(module, node.name)
    around = _around(top, definition.within)
    if around is None:
        return "what it stands inside cannot be found, in a document that does not parse"
    if definition.holder == "class":
        if any(table.get_type() == "function" for table in around):
            return "it is a method of a class inside a function, which is made anew by every call"
        return Place(module, ".".join((*definition.within, node.name)), _kind(node))
    free = sorted(_free_names(around[-1], node.name))
    if free:
        return f"it stands inside another function and uses its name {free[0]!r}"
    return Place(module, node.name)


def is_overload(node: _AnyFunction) -> bool:
    """Is it but one signature of an overloaded function?"""
    return any(_last(decorator) == "overload" for decorator in node.decorator_list)


def is_abstract(node: _AnyFunction) -> bool:
    """Is it there for classes below to write: abstract, with no body of its own?"""
    return names.has_no_body(node) and any(_last(decorator) in _ABSTRACT for decorator in node.decorator_list)


_ABSTRACT = frozenset(("abstractmethod", "abstractproperty", "abstractclassmethod", "abstractstaticmethod"))


def _kind(node: _AnyFunction) -> Kind:
    for decorator in node.decorator_list:
        kind = (_OF_PROPERTY if isinstance(decorator, ast.Attribute) else _DECORATED).get(_last(decorator))
        kind = kind or _DECORATED.get(_last(decorator))
        if kind is not None:
            return kind
    return _IMPLICIT.get(node.name, "method")


def _last(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def _around(top: symtable.SymbolTable | None, within: Sequence[str]) -> list[symtable.SymbolTable] | None:
    """The tables of the classes and functions around, outermost first."""
    found: list[symtable.SymbolTable] = []
    table = top
    for name in within:
        children = table.get_children() if table else []
        table = next((child for child in children if child.get_name() == name), None)
        if table is None:
            return None
        found.append(table)
    return found


def _free_names(around: symtable.SymbolTable, name: str) -> Iterator[str]:
    for table in around.get_children():
        if table.get_name() == name and isinstance(table, symtable.Function):
            yield from table.get_frees()


def stands_alone(source: Statement, carried: Sequence[Statement], pool: Pool) -> bool:
    """Does it need nothing of its module but what is carried along and imports of the standard library?"""
    needed = source.needs.union(*(one.needs for one in carried))
    bound = source.binds.union(*(one.binds for one in carried))
    for name in needed - bound:
        for index in pool.binders.get(name, ()):
            if not _is_standard(pool.statements[index].code):
                return False
    return all(_is_standard(one.code) for one in carried if one.code.startswith(("import ", "from ")))


def _is_standard(code: str) -> bool:
    """Is it an import from the standard library?"""
    match names.parse(code).body:
        case [ast.Import(names=aliases)]:
            modules = [alias.name for alias in aliases]
        case [ast.ImportFrom(module=str(module), level=0)]:
            modules = [module]
        case _:
            return False
    return all(module.partition(".")[0] in sys.stdlib_module_names for module in modules)


# --- what of its module it needs ------------------------------------------------------------------


def needed(place: Place, source: str, whole: Pool, futures: str) -> str:
    """The definitions that the function at the place needs, and what these need: a module by themselves.

    whole: the module's top-level statements (`whole_statements`). Raises SyntaxError.
    """
    wanted = set(names.statement(source).needs) | ({place.holder.partition(".")[0]} if place.holder else set())
    chosen = whole.closure(wanted)
    if names.missing([*chosen, names.statement(source)]):  # a star import may have what is missing
        chosen = whole.closure({*wanted, names.STAR})
    return futures + "\n\n".join(one.code for one in chosen)


def taken_alone(function: Function) -> Function | str:
    """The function in a module that holds no more than what it needs; the name that is missing, where one is."""
    place = function.place
    assert place is not None
    text = names.statement(function.context)
    absent = names.missing([text, names.statement(function.source)])
    if absent and "import *" not in function.context:
        return min(absent)
    return replace(function, place=replace(place, module=replace(place.module, text=function.context)))


def whole_statements(text: Text) -> Iterator[Statement]:
    """Top-level statements, those inside an `if` or `try` as part of it; what cannot be read is left out.

    A star import binds STAR.
    """
    end = 0
    for piece in syntax.pieces(text):
        if piece.start < end or piece.kind == "future":
            continue
        end = piece.end
        for one in names.statements([text.text[piece.start : piece.end] + "\n"]):
            yield replace(one, binds=one.binds | {names.STAR}) if "import *" in one.code else one
