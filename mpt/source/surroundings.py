"""What a language model is told of a function's module, so that it can write the function again.

    none          the imports that the signature needs
    signatures    the imports the function uses, constants it reads, classes of its signature (fields, and signatures of
                  methods), signatures and docstrings of functions it calls; of a method its class, likewise
    definitions   all that, with bodies

Never the function's own body, never what looks like a secret, and no more than MAX_CHARACTERS: what does not fit is
left out, and said so.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from mpt.source import names
from mpt.source.names import Statement
from mpt.source.secrets import without_secrets
from mpt.source.syntax import Text
from mpt.source.toplevel import read_module
from mpt.values import Function, Place, Prompt

MAX_CHARACTERS = 6_000
"""About 1,500 tokens."""
_MAX_CONSTANT = 300
_LEFT_OUT = "# …\n"
_FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)


def told(function: Function, context: str) -> Prompt:
    """The function's prompt with what is told of its module before it. One that stands alone keeps its own.

    context: none, signatures or definitions.
    """
    place = function.place
    if place is None:
        return function.prompt
    top = read_module(Text(place.module.text))
    own = names.statement(function.source)
    header = names.statement(_header(function.source))
    wanted = header.needs if context == "none" else own.needs
    holder = place.holder.partition(".")[0]
    kept = [one for one in top.pool.statements if one.binds & wanted or (holder and holder in one.binds)]
    if context == "none":
        kept = [one for one in kept if _is_import(one)]
    pieces = [without_secrets(piece) for one in kept if (piece := _told(one, function, context))]
    needed = frozenset[str]().union(*(one.needs for one in names.statements(pieces)))
    imports = [one.code for one in top.pool.statements if _is_import(one) and one.binds & needed and one not in kept]
    preamble = _fitted([top.futures, *imports, *pieces]) + _said(function.prompt.entry_point, place)
    return replace(function.prompt, preamble=preamble + "\n" if preamble else "")


def _said(name: str, place: Place) -> str:
    """What kind of member of its class it is; nothing of a function."""
    kind = f"the {place.kind} of a property" if place.kind in ("setter", "deleter") else f"a {place.kind}"
    return f"# {name} is {kind} of {place.holder}.\n" if place.holder else ""


def _header(source: str) -> str:
    """The function with nothing in its body."""
    [node] = names.parse(source).body
    assert isinstance(node, _FUNCTION)
    node.body = [ast.Pass()]
    return ast.unparse(node)


def _is_import(one: Statement) -> bool:
    return one.code.startswith(("import ", "from "))


def _fitted(pieces: list[str]) -> str:
    """Imports stand together, definitions apart; as many, in order, as fit."""
    text = ""
    for piece in filter(None, pieces):
        apart = "" if piece.startswith(("import ", "from ")) else "\n"
        if len(text) + len(apart) + len(piece) > MAX_CHARACTERS:
            return text + _LEFT_OUT
        text += apart + piece
    return text


def _told(one: Statement, function: Function, context: str) -> str:
    """The statement as it is told; the function itself never, nor its body inside its class."""
    place = function.place
    assert place is not None
    if _is_import(one):
        return one.code
    [node] = names.parse(one.code).body[:1]
    if isinstance(node, _FUNCTION):
        if not place.holder and node.name == function.prompt.entry_point:
            return ""
        return one.code if context == "definitions" else ast.unparse(_stub(node)) + "\n"
    if isinstance(node, ast.ClassDef):
        return ast.unparse(_class(node, function, context)) + "\n"
    return one.code if len(one.code) <= _MAX_CONSTANT or context == "definitions" else _shortened(node)


def _shortened(node: ast.stmt) -> str:
    targets = [ast.unparse(target) for target in getattr(node, "targets", [])]
    return " = ".join([*targets, "..."]) + "\n" if targets else ""


def _stub(node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.stmt:
    doc = ast.get_docstring(node, clean=False)
    node.body = [*([ast.Expr(ast.Constant(doc))] if doc else []), ast.Expr(ast.Constant(...))]
    return node


def _class(node: ast.ClassDef, function: Function, context: str) -> ast.stmt:
    """Its fields as they are; its methods as stubs, or with their bodies; the function itself left out."""
    place = function.place
    assert place is not None
    own = function.prompt.entry_point if place.holder.rpartition(".")[2] == node.name else ""
    node.body = list(_members(node, own, function, context)) or [ast.Expr(ast.Constant(...))]
    return node


def _members(node: ast.ClassDef, own: str, function: Function, context: str) -> Iterator[ast.stmt]:
    for member in node.body:
        if isinstance(member, _FUNCTION):
            if member.name != own:
                yield member if context == "definitions" else _stub(member)
        elif isinstance(member, ast.ClassDef):
            yield _class(member, function, context)
        else:
            yield member
