"""What the body does with `*args` and `**kwargs` themselves: what it calls each of them, and the names it looks up.

What it only hands on (`super().f(**options)`) tells nothing: nobody knows what the other function takes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from mpt.source.names import function_named

_LOOKED_UP = frozenset(("get", "pop"))


@dataclass(frozen=True, slots=True)
class Rest:
    """read: the body reads it, or hands it on to a function that it was passed.

    members: names under which each of `*args` is used: loop variables, then the singular of its own.
    keys: names that are looked up in `**kwargs`.
    """

    read: bool = False
    members: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()


def rest_of(source: str, function: str, name: str) -> Rest:
    """Nothing is known of a body that cannot be read, or is nested too deeply to be looked through."""
    body = function_named(function, source)
    if body is None:
        return Rest()
    found = _Finder(name, {one.arg for one in ast.walk(body.args) if isinstance(one, ast.arg)})
    try:
        found.visit(body)
    except RecursionError:
        return Rest()
    return Rest(found.read, (*dict.fromkeys(found.loops), name.removesuffix("s")), tuple(dict.fromkeys(found.keys)))


@dataclass
class _Finder(ast.NodeVisitor):
    name: str
    parameters: set[str]
    outside: bool = True
    read: bool = False
    loops: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)

    def visit_Name(self, node: ast.Name) -> None:
        self.read |= node.id == self.name and isinstance(node.ctx, ast.Load)

    def visit_Call(self, node: ast.Call) -> None:
        self.keys += self._looked_up(node)
        passed = isinstance(node.func, ast.Name) and node.func.id in self.parameters
        handed_on = [] if passed else [*map(id, self._handed_on(node))]
        for child in ast.iter_child_nodes(node):
            if id(child) not in handed_on:
                self.visit(child)

    def visit_For(self, node: ast.For) -> None:
        self._loop(node.target, node.iter)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        self._loop(node.target, node.iter)
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        match node:
            case ast.Subscript(value=ast.Name(id=used), slice=ast.Constant(value=str(key)), ctx=ast.Load()) if (
                used == self.name
            ):
                self.keys.append(key)
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        match node:
            case ast.Compare(left=ast.Constant(value=str(key)), ops=[ast.In()], comparators=[ast.Name(id=used)]) if (
                used == self.name
            ):
                self.keys.append(key)
        self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._inner(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self._inner(node)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._inner(node)

    def _inner(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        """Of an inner function that has the name for something else nothing is told."""
        if self.outside or self.name not in {one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg)}:
            self.outside = False
            self.generic_visit(node)

    def _loop(self, target: ast.expr, over: ast.expr) -> None:
        match target, over:
            case ast.Tuple(elts=[_, inner]), ast.Call(func=ast.Name(id="enumerate"), args=[inside, *_]):
                target, over = inner, inside
        if isinstance(target, ast.Name) and isinstance(over, ast.Name) and over.id == self.name:
            self.loops.append(target.id)

    def _looked_up(self, node: ast.Call) -> Iterator[str]:
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=used), attr=method), args=[ast.Constant(value=str(key)), *_]
            ) if used == self.name and method in _LOOKED_UP:
                yield key

    def _handed_on(self, node: ast.Call) -> Iterator[ast.AST]:
        yield from (one for one in node.args if isinstance(one, ast.Starred) and self._is_it(one.value))
        yield from (one for one in node.keywords if one.arg is None and self._is_it(one.value))

    def _is_it(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and node.id == self.name
