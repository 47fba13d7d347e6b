"""The calls a docstring shows, their arguments as Python text where they are no literals, for the module to read.

    >>> G = nx.path_graph(4)
    >>> G.add_edge(0, 3)
    >>> cycle_basis(G)          one argument: (lambda _: (_.add_edge(0, 3), _)[1])(nx.path_graph(4))

Nothing is evaluated here. Names that an earlier line binds are replaced by what it binds them to; a call on such a
name is made on it before it is used.

What stands below a call is its answer where nothing unseen can have come between (`mpt.inputs.trail`).
"""

from __future__ import annotations

import ast
import builtins
import doctest
import importlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mpt.inputs.literals import Unreadable, read
from mpt.inputs.trail import Trail, is_import, iterated
from mpt.source.names import parsed
from mpt.spelling import value_of
from mpt.values import Arguments, Module, Place, Value
from mpt.worker.codec import Source

MAX_TEXT = 1_000
"""Characters of one argument."""
MAX_OBJECTS = 8
_LENT = frozenset(("operator", "math", "datetime", "collections", "itertools", "functools", "io", "re", "decimal"))


@dataclass(frozen=True, slots=True)
class Shown:
    """One call. answered: what stands below it is what it returns. iterated: or what iterating over that gives."""

    arguments: Arguments
    answered: bool = False
    iterated: bool = False


def calls_shown(sources: Iterable[str], name: str, place: Place) -> list[list[Shown]]:
    """The function's calls in each doctest, whose sources come in order; those of a method with its object first."""
    reader = _Reader(name, place)
    return [list(reader.read(source)) for source in sources]


def objects_shown(docstrings: Iterable[str], name: str, module: str) -> tuple[Value, ...]:
    """Objects of the class that doctests make by calling it, as Python text that the module of that text can read."""
    reader = _Reader(name, Place(Module("", module), name))
    found: list[Value | None] = []
    for docstring in docstrings:
        for source in doctest_sources(docstring):
            found += reader.objects(source)
    return tuple(dict.fromkeys(value for value in found if value is not None))[:MAX_OBJECTS]


def doctest_sources(docstring: str) -> list[str]:
    """What stands behind `>>>`, lines that go on behind `...` with it; nothing where it is badly written."""
    try:
        return [example.source for example in doctest.DocTestParser().get_examples(docstring)]
    except ValueError:
        return []


class _Reader:
    """Reads statements in order; `bound` holds what names stand for by now."""

    def __init__(self, name: str, place: Place) -> None:
        self.name = name
        self.place = place
        self.bound: dict[str, ast.expr] = {}
        self.stars: list[str] = []
        self.trail = Trail(name, place, self.bound)
        self.known = frozenset(dir(builtins)) | _LENT | _top_names(place.module.text)

    def read(self, source: str) -> Iterator[Shown]:
        try:
            body = ast.parse(source.strip()).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return
        for statement in body:
            whole = statement.value if isinstance(statement, ast.Expr) and len(body) == 1 else None
            inside = iterated(whole)
            for node in ast.walk(statement):
                arguments = self._call(node) if isinstance(node, ast.expr) else self._changed(node)
                if arguments is not None:
                    answered = node in (whole, inside) and self.trail.tells(node, self._full)
                    yield Shown(arguments, answered, answered and node is inside)
            self.trail.note(statement)
            self._note(statement)

    def objects(self, source: str) -> Iterator[Value | None]:
        """The calls of the name themselves; None for one that the module cannot read."""
        try:
            body = ast.parse(source.strip()).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return
        for statement in body:
            for node in ast.walk(statement):
                if isinstance(node, ast.Call) and _called_name(node.func) == self.name:
                    full = self._full(node)
                    readable = len(ast.unparse(full)) <= MAX_TEXT and self._readable(full)
                    yield value_of(Source(ast.unparse(full))) if readable else None
            self._note(statement)

    # --- what names stand for ---------------------------------------------------------------------

    def _note(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self.bound[name] = self._full(value)
            case ast.Import(names=aliases):
                for alias in aliases:
                    called = alias.name if alias.asname else alias.name.partition(".")[0]
                    self.bound[alias.asname or called] = _expression(f"importlib.import_module({called!r})")
            case ast.ImportFrom(module=str(module), names=[ast.alias(name="*")], level=0):
                self.stars.append(module)
            case ast.ImportFrom(module=str(module), names=aliases, level=0):
                for alias in aliases:
                    text = f"importlib.import_module({module!r}).{alias.name}"
                    self.bound[alias.asname or alias.name] = _expression(text)
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name))) as call) if name in self.bound:
                self._note_change(name, call)
            case _:
                for node in ast.walk(statement):  # it may change or bind anything it names
                    if isinstance(node, ast.Name) and not isinstance(statement, ast.Expr):
                        self.bound.pop(node.id, None)

    def _note_change(self, name: str, call: ast.Call) -> None:
        """A call on an object: from here on the object is what it is after that."""
        on_it = _Replaced({**self.bound, name: ast.Name("_")}).visit(_copy(call))
        if isinstance(self.bound[name], ast.Call) and not is_import(self.bound[name]):
            text = f"(lambda _: ({ast.unparse(on_it)}, _)[1])({ast.unparse(self.bound[name])})"
            self.bound[name] = _expression(text)

    def _full(self, node: ast.expr) -> ast.expr:
        full = _Replaced(self.bound).visit(_copy(node))
        assert isinstance(full, ast.expr)
        if not self.stars:
            return full
        unknown = {name: _expression(self._starred(name)) for name in sorted(_free(full) - self.known - _OURS)}
        return _Replaced(unknown).visit(full)  # type: ignore[no-any-return]

    def _starred(self, name: str) -> str:
        """The name in the module that brought it by `import *`: of the standard library's the one that has it."""
        known = [module for module in self.stars if module in _LENT and hasattr(importlib.import_module(module), name)]
        others = [module for module in self.stars if module not in _LENT]
        return f"importlib.import_module({(known + others + self.stars)[0]!r}).{name}"

    # --- calls ------------------------------------------------------------------------------------

    def _call(self, node: ast.expr) -> Arguments | None:
        """The arguments of a call of the function; of a property that is read, its object."""
        if self.place.kind == "property":
            ours = isinstance(node, ast.Attribute) and node.attr == self.name
            return self._arguments([node.value], []) if ours and isinstance(node, ast.Attribute) else None
        if not isinstance(node, ast.Call) or self.place.kind in ("setter", "deleter"):
            return None
        match node.func:
            case ast.Attribute(attr=self.name, value=value) if self.place.kind == "method":
                return self._arguments([value, *node.args], node.keywords)
            case ast.Attribute(attr=self.name) if self.place.kind != "method":
                return self._arguments(node.args, node.keywords)
            case ast.Name(id=self.name) if self.place.kind == "function":
                return self._arguments(node.args, node.keywords)
        return None

    def _changed(self, node: ast.AST) -> Arguments | None:
        """Of a property that is set, its object and the value; of one that is deleted, its object."""
        match node:
            case ast.Assign(targets=[ast.Attribute(attr=self.name, value=value)]) if self.place.kind == "setter":
                return self._arguments([value, node.value], [])
            case ast.Delete(targets=[ast.Attribute(attr=self.name, value=value)]) if self.place.kind == "deleter":
                return self._arguments([value], [])
        return None

    def _arguments(self, positional: list[ast.expr], keywords: list[ast.keyword]) -> Arguments | None:
        if any(isinstance(arg, ast.Starred) for arg in positional) or any(key.arg is None for key in keywords):
            return None
        values = [self._value(arg) for arg in positional]
        named = [(str(key.arg), self._value(key.value)) for key in keywords]
        if None in values or any(value is None for _, value in named):
            return None
        found = tuple(value for value in values if value is not None)
        return Arguments(found, tuple((name, value) for name, value in named if value is not None), origin="example")

    def _value(self, node: ast.expr) -> Value | None:
        try:
            return value_of(read(node))
        except Unreadable:
            full = self._full(node)
            text = ast.unparse(full)
            return value_of(Source(text)) if len(text) <= MAX_TEXT and self._readable(full) else None

    def _readable(self, node: ast.expr) -> bool:
        """Does it name nothing but what the module or Python has?"""
        return _free(node) <= self.known | _OURS


_OURS = frozenset(("importlib", "_"))


def _free(node: ast.expr) -> frozenset[str]:
    """Names that it uses and does not bind itself."""
    nodes = list(ast.walk(node))
    own = {inner.arg for inner in nodes if isinstance(inner, ast.arg)}
    own |= {inner.id for inner in nodes if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store)}
    return frozenset(inner.id for inner in nodes if isinstance(inner, ast.Name)) - own


class _Replaced(ast.NodeTransformer):
    """Names replaced by what they stand for."""

    def __init__(self, bound: dict[str, ast.expr]) -> None:
        self.bound = bound

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.bound.get(node.id, node) if isinstance(node.ctx, ast.Load) else node


def _called_name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _copy(node: ast.expr) -> ast.expr:
    return _expression(ast.unparse(node))


def _top_names(text: str) -> frozenset[str]:
    """Names that the module binds at its top level, in `if` and `try` too; what does not parse binds none."""
    waiting: list[ast.AST] = list(parsed(text).body)
    found: set[str] = set()
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif not isinstance(node, ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            waiting += ast.iter_child_nodes(node)
    return frozenset(found)
