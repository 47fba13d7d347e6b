"""Which names a piece of Python needs and which it provides: what a program must bring along to be self-contained.

Read, never run: by `ast` and `symtable`, so comprehensions, nested functions, defaults and decorators count right.
"""

from __future__ import annotations

import ast
import builtins
import symtable
import warnings
from collections.abc import Callable, Iterable, Iterator, Set
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from mpt.source.older import older

Read = TypeVar("Read")
_PROVIDED = frozenset(dir(builtins))
STAR = "*"
"""What `from m import *` binds: names nobody can know without running it."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A piece of a module, the names it binds there, and the names it needs from there or from builtins."""

    code: str
    binds: frozenset[str]
    needs: frozenset[str]


def has_no_body(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Is it only announced: nothing but a docstring, `pass` or `...`?"""
    return all(
        isinstance(one, ast.Pass) or (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))
        for one in node.body
    )


def parse(code: str) -> ast.Module:
    """Raises SyntaxError for whatever Python cannot read, not even told in older words, and never warns."""
    return _read(code, ast.parse)


def parsed(code: str) -> ast.Module:
    """The same; empty where Python cannot read it."""
    try:
        return parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])


def function_named(name: str, code: str) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The first function of that name, wherever in the code it stands."""
    kinds = ast.FunctionDef | ast.AsyncFunctionDef
    return next((node for node in ast.walk(parsed(code)) if isinstance(node, kinds) and node.name == name), None)


def table(code: str) -> symtable.SymbolTable:
    """The symbols of a module. Raises SyntaxError."""
    return _read(code, lambda text: symtable.symtable(text, "<code>", "exec"))


def statement(code: str) -> Statement:
    """Analyses a piece that stands at a module's top level. Raises SyntaxError."""
    top = table(code)
    binds = {symbol.get_name() for symbol in top.get_symbols() if symbol.is_assigned() or symbol.is_imported()}
    needs = {symbol.get_name() for symbol in top.get_symbols() if symbol.is_referenced()}
    return Statement(code, frozenset(binds), frozenset(needs.union(_global_names(top)) - binds))


def _read(code: str, read: Callable[[str], Read]) -> Read:
    try:
        with _reading():
            return read(code)
    except SyntaxError:
        told = older(code)
        if told == code:
            raise
    with _reading():
        return read(told)


@contextmanager
def _reading() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            yield
        except (ValueError, RecursionError, MemoryError) as error:  # NUL, lone surrogate, nested too deep
            raise SyntaxError(str(error) or "nested too deep") from None


def statements(codes: Iterable[str]) -> tuple[Statement, ...]:
    """Those of the pieces that Python can read."""
    found = []
    for code in codes:
        try:
            found.append(statement(code))
        except SyntaxError:
            continue
    return tuple(found)


def imports(code: str, taken: Set[str] = frozenset()) -> tuple[Statement, ...]:
    """The import statements at the top level of `code`, one a bound name; of several that bind one name the first
    (`import tomllib`, else `import tomli as tomllib`), and none that binds a taken one; `from __future__` is left out.
    Raises SyntaxError."""
    found: list[Statement] = []
    bound = set(taken)
    for node in parse(code).body:
        for name, single in _singles(node):
            if name not in bound or _is_shared(single.names[0]):
                found.append(Statement(ast.unparse(single) + "\n", frozenset({name}), frozenset()))
                bound.add(name)
    return tuple(dict.fromkeys(found))


def _is_shared(alias: ast.alias) -> bool:
    """a.b and a.c make up `a` together; so do all stars."""
    return alias.name == STAR or (alias.asname is None and "." in alias.name)


def future_imports(code: str) -> tuple[str, ...]:
    """The `from __future__` statements of `code`, one a feature. Raises SyntaxError."""
    features = [
        alias.name
        for node in parse(code).body
        if isinstance(node, ast.ImportFrom) and node.module == "__future__"
        for alias in node.names
    ]
    return tuple(f"from __future__ import {feature}\n" for feature in dict.fromkeys(features))


class Pool:
    """Statements in order, and who binds which name."""

    def __init__(self, statements: Iterable[Statement]) -> None:
        self.statements = tuple(statements)
        self.binders: dict[str, list[int]] = {}
        for index, one in enumerate(self.statements):
            for name in one.binds:
                self.binders.setdefault(name, []).append(index)

    def closure(self, wanted: Iterable[str]) -> tuple[Statement, ...]:
        """The statements, in order, that bind the wanted names and the names they need in turn."""
        todo, known, taken = set(wanted), set[str](), set[int]()
        while todo:
            name = todo.pop()
            known.add(name)
            for index in self.binders.get(name, ()):
                taken.add(index)
                todo |= self.statements[index].needs - known
        return tuple(self.statements[index] for index in sorted(taken))


def missing(statements: Iterable[Statement]) -> frozenset[str]:
    """Names that the statements need and neither they nor builtins bind."""
    all_of = tuple(statements)
    needs = frozenset[str]().union(*(one.needs for one in all_of))
    return needs - _PROVIDED.union(*(one.binds for one in all_of))


def _global_names(top: symtable.SymbolTable) -> Iterator[str]:
    """Names that inner scopes look up in the module."""
    todo = top.get_children()
    while todo:
        table = todo.pop()
        todo.extend(table.get_children())
        for symbol in table.get_symbols():
            if symbol.is_declared_global() or (symbol.is_global() and symbol.is_referenced()):
                yield symbol.get_name()


def _singles(node: ast.AST) -> Iterator[tuple[str, ast.Import | ast.ImportFrom]]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield alias.asname or alias.name.partition(".")[0], ast.Import([alias])
    elif isinstance(node, ast.ImportFrom) and node.module != "__future__":
        for alias in node.names:
            yield alias.asname or alias.name, ast.ImportFrom(node.module, [alias], node.level)
