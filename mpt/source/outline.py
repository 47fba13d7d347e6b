"""Definitions in short, for a language model: signatures, docstrings and fields, no bodies.

    level 0   docstrings of what the function uses as they are, of the other methods their first line
    level 1   the first line of every docstring
    level 2   no docstrings
    level 3   of a class only `__init__`, fields, and the methods that the function uses

What `__init__` sets on its object are fields: a model must know their names to write a method.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

LEVELS = range(4)
MAX_CONSTANT = 300
"""Characters of a constant that is told."""
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


def part_of(node: FunctionNode) -> str:
    """Of a property, "setter" or "deleter", by its decorator; empty else."""
    parts = [one.attr for one in node.decorator_list if isinstance(one, ast.Attribute)]
    return next((part for part in parts if part in ("setter", "deleter")), "")


@dataclass(frozen=True, slots=True)
class Outline:
    """How definitions are told. own: the function itself, in its class `holder`, left out; used: names it uses.

    part: of a property, "setter" or "deleter" where it is that; its other parts are told.
    """

    own: str
    holder: str
    used: frozenset[str]
    level: int
    part: str = ""

    def is_itself(self, member: ast.stmt, own: str) -> bool:
        """Is it the function, where that is called `own`?"""
        return isinstance(member, FunctionNode) and member.name == own and part_of(member) == self.part

    def of(self, node: ast.stmt) -> ast.stmt:
        """In place of a definition at the module's top level; anything else as it is, a long constant cut."""
        if isinstance(node, FunctionNode):
            return self._stub(node, is_used=True)
        if isinstance(node, ast.ClassDef):
            return self._class(node)
        return _cut(node)

    def _class(self, node: ast.ClassDef) -> ast.stmt:
        members = list(self._members(node, self.own if node.name == self.holder else ""))
        return _with_body(node, members)

    def _members(self, node: ast.ClassDef, own: str) -> Iterator[ast.stmt]:
        for member in node.body:
            if isinstance(member, FunctionNode):
                is_used = member.name in self.used or member.name in ("__init__", own)
                if not self.is_itself(member, own) and (is_used or self.level < LEVELS[-1]):
                    yield self._stub(member, is_used)
            elif isinstance(member, ast.ClassDef):
                yield self._class(member)
            elif _text_of(member) is not None:
                yield from self._docstring(_text_of(member) or "", is_used=True)
            else:
                yield _cut(member)

    def _stub(self, node: FunctionNode, is_used: bool) -> ast.stmt:
        doc = self._docstring(ast.get_docstring(node, clean=False) or "", is_used)
        fields = _fields(node) if node.name == "__init__" else ()
        return _with_body(node, [*doc, *fields])

    def _docstring(self, text: str, is_used: bool) -> Iterator[ast.stmt]:
        if text and self.level < 2:
            whole = is_used and self.level == 0
            yield ast.Expr(ast.Constant(text if whole else text.strip().partition("\n")[0]))


def _with_body(node: ast.ClassDef | FunctionNode, body: list[ast.stmt]) -> ast.stmt:
    node.body = body or [ast.Expr(ast.Constant(...))]
    if isinstance(node, FunctionNode) and not isinstance(body[-1] if body else None, ast.Assign):
        node.body = [*body, ast.Expr(ast.Constant(...))]
    return node


def _text_of(node: ast.stmt) -> str | None:
    """Of a docstring."""
    match node:
        case ast.Expr(value=ast.Constant(value=str(text))):
            return text
    return None


def _fields(node: FunctionNode) -> Iterator[ast.stmt]:
    """`self.x = …` for each attribute that is set on the object, with what it is set to where that is plain."""
    mine = next((arg.arg for arg in [*node.args.posonlyargs, *node.args.args]), "")
    seen: set[str] = set()
    for target, value in _set_in(node):
        match target:
            case ast.Attribute(value=ast.Name(id=name), attr=attr) if name == mine and attr not in seen:
                seen.add(attr)
                yield ast.Assign([target], _plain(value))


def _set_in(node: FunctionNode) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    for inner in ast.walk(ast.Module(node.body, [])):
        if isinstance(inner, ast.Assign):
            yield from ((target, inner.value) for target in inner.targets)
        elif isinstance(inner, ast.AnnAssign):
            yield inner.target, inner.value


def _plain(value: ast.expr | None) -> ast.expr:
    """A number, a name, an empty container; else an ellipsis."""
    match value:
        case ast.Constant(value=int() | float() | None) | ast.Name():
            return value
        case ast.List(elts=[]) | ast.Tuple(elts=[]) | ast.Dict(keys=[]):
            return value
    return ast.Constant(...)


def _cut(node: ast.stmt) -> ast.stmt:
    """A constant that is too long is told by its name."""
    if isinstance(node, ast.Assign) and len(ast.unparse(node)) > MAX_CONSTANT:
        return ast.Assign(node.targets, ast.Constant(...))
    if isinstance(node, ast.AnnAssign) and len(ast.unparse(node)) > MAX_CONSTANT:
        return ast.AnnAssign(node.target, node.annotation, ast.Constant(...), node.simple)
    return node
