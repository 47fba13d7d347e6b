"""What the lines of doctests may have changed unseen, for whether what stands below a call is its answer.

An answer is believed of a call of the function alone, on objects as they are spelt. So an object that another line has
touched in a way that is not made again tells none, nor does any call after a line that may have changed anything. What
is made again are calls on the object: see `mpt.inputs.shown`.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterable, Mapping

from mpt.source.names import parsed
from mpt.values import Module, Place


def iterated(node: ast.expr | None) -> ast.expr | None:
    """What stands in `list(…)` or `tuple(…)`: what iterating over it gives is shown."""
    match node:
        case ast.Call(func=ast.Name(id="list" | "tuple"), args=[inside], keywords=[]):
            return inside
    return None


class Trail:
    """bound: what names stand for by now, kept by who reads the doctests. `note` each statement before that changes."""

    def __init__(self, name: str, place: Place, bound: Mapping[str, ast.expr]) -> None:
        self.name = name
        self.place = place
        self.bound = bound
        self.touched: set[str] = set()
        self.made_of: dict[str, set[str]] = {}
        self.lost = False
        self.own = _aliases(place.module)

    def tells(self, node: ast.AST, full: Callable[[ast.expr], ast.expr]) -> bool:
        """Is it certainly a call of the function, with arguments as they are spelt? full: with what names stand for."""
        names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
        if self.lost or names & (self.touched | {"_"}):
            return False
        match node:
            case ast.Call(func=ast.Name()):
                return True
            case ast.Call(func=ast.Attribute(value=value)) | ast.Attribute(value=value):
                return self._is_made(full(value)) if self.place.bound else self._is_holder(value)
        return False

    def _is_made(self, made: ast.expr) -> bool:
        """Is it an object that something of the package has made, not a builtin or a literal?"""
        while isinstance(made, ast.Call) and isinstance(made.func, ast.Lambda):  # changed since: (lambda _: …)(object)
            made = made.args[0]
        if not isinstance(made, ast.Call):
            return False
        called = made.func.id if isinstance(made.func, ast.Name) else ""
        return called not in ("", *dir(builtins)) or self._is_imported(made.func)

    def _is_holder(self, node: ast.expr) -> bool:
        """Is it the class that the function belongs to, or the package that it is in?"""
        if not isinstance(node, ast.Name):
            return False
        if node.id in self.bound:
            return self._is_imported(self.bound[node.id])
        return node.id == self.place.holder.rpartition(".")[2] or node.id in self.own

    def _is_imported(self, node: ast.expr) -> bool:
        """From the package that the function is in."""
        root = self.place.module.name.partition(".")[0]
        return ast.unparse(node).startswith((f"importlib.import_module('{root}.", f"importlib.import_module('{root}')"))

    def note(self, statement: ast.stmt) -> None:
        """Notes what the statement may change unseen. A call on an object is not: it is made again (`_note_change`)."""
        match statement:
            case ast.Import() | ast.ImportFrom():
                return
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name))) as call) if self._is_object(name):
                self.made_of[name] |= self._touched([*call.args, *(one.value for one in call.keywords)])
                self.touched |= {other for other, parts in self.made_of.items() if name in parts}
            case ast.Expr(value=value):
                self._touched([value])
                self.lost |= not self._is_harmless(value)
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                parts = self._touched([value])
                self.touched.discard(name)
                self.made_of[name] = parts
                if parts and not isinstance(value, ast.Call):  # another name for one of them, or for a part of it
                    self.touched.add(name)
            case _:
                self.lost = True

    def _touched(self, nodes: Iterable[ast.AST]) -> set[str]:
        """The objects that they name and that can change."""
        inner = [one for node in nodes for one in ast.walk(node)]
        names = {one.id for one in inner if isinstance(one, ast.Name) and one.id in self.bound}
        changing = {name for name in names if not _is_constant(self.bound[name])}
        self.touched |= changing
        self.lost |= any(isinstance(one, ast.NamedExpr) for one in inner)
        return changing

    def _is_object(self, name: str) -> bool:
        return isinstance(self.bound.get(name), ast.Call) and not is_import(self.bound[name])

    def _is_harmless(self, node: ast.expr) -> bool:
        """Is it no call, or one of the function or of what only looks? Then it changes no more than what it names."""
        match node:
            case ast.Call(func=ast.Name(id=called) | ast.Attribute(attr=called)):
                return called == self.name or called in _LOOKING
        return not isinstance(node, ast.Call)


def _aliases(module: Module) -> frozenset[str]:
    """Names that the module has for the package it is in: `import networkx as nx`, in networkx."""
    root = module.name.partition(".")[0]
    aliases = [one for node in ast.walk(parsed(module.text)) if isinstance(node, ast.Import) for one in node.names]
    return frozenset(one.asname or root for one in aliases if one.name.partition(".")[0] == root) | {root}


_LOOKING = ("print", "len", "list", "tuple", "set", "dict", "sorted", "sum", "repr", "str", "type", "isinstance")
"""Builtins that change nothing but what they are called with."""


def _is_constant(node: ast.expr) -> bool:
    """A number, a text, a tuple of such, a function, a module: nothing that can change."""
    match node:
        case ast.Constant() | ast.Lambda():
            return True
        case ast.Tuple(elts=items):
            return all(map(_is_constant, items))
        case ast.UnaryOp(operand=operand):
            return _is_constant(operand)
    return is_import(node)


def is_import(node: ast.expr) -> bool:
    return ast.unparse(node).startswith("importlib.import_module(")
