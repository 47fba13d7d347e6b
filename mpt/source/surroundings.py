"""What a language model is told of a function's module, so that it can write the function again.

    none          the imports that the signature needs
    signatures    the imports the function uses, constants it reads, classes of its signature and functions it calls in
                  short (mpt.source.outline); of a method its class, likewise
    definitions   all that, with bodies

Never the function's own body, never what looks like a secret, and no more than MAX_CHARACTERS: what does not fit is
told in less detail, and what does not even fit so is left out, and said so.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from mpt.source import names
from mpt.source.names import Statement
from mpt.source.outline import LEVELS, FunctionNode, Outline
from mpt.source.secrets import without_secrets
from mpt.source.syntax import Text
from mpt.source.toplevel import TopLevel, read_module
from mpt.values import Function, Place, Prompt

MAX_CHARACTERS = 6_000
"""About 1,500 tokens."""
_LEFT_OUT = "# …\n"


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
    outer = place.holder.partition(".")[0]
    kept = [one for one in top.pool.statements if one.binds & wanted or (outer and outer in one.binds)]
    if context == "none":
        kept = [one for one in kept if _is_import(one)]
    part = place.kind if place.kind in ("setter", "deleter") else ""
    outline = Outline(function.prompt.entry_point, place.holder.rpartition(".")[2], _used(function.source), 0, part)
    preamble = _fitted(_shown(top, kept, outline, context)) + _said(function.prompt.entry_point, place)
    return replace(function.prompt, preamble=preamble + "\n" if preamble else "")


def _shown(top: TopLevel, kept: Sequence[Statement], outline: Outline, context: str) -> list[str]:
    """What is kept, and the imports that needs, in as much detail as fits."""
    ways = [partial(_in_short, outline=replace(outline, level=level)) for level in LEVELS]
    shown: list[str] = []
    for way in [partial(_whole, outline=outline), *ways] if context == "definitions" else ways:
        pieces = [without_secrets(piece) for one in kept if (piece := way(one))]
        needed = frozenset[str]().union(*(one.needs for one in names.statements(pieces)))
        imports = [
            one.code for one in top.pool.statements if _is_import(one) and one.binds & needed and one not in kept
        ]
        shown = [top.futures, *imports, *pieces]
        if sum(map(len, shown)) + len(shown) <= MAX_CHARACTERS:
            break
    return shown


def _used(source: str) -> frozenset[str]:
    """Names of attributes that the function uses."""
    return frozenset(node.attr for node in ast.walk(names.parse(source)) if isinstance(node, ast.Attribute))


def _said(name: str, place: Place) -> str:
    """What kind of member of its class it is; nothing of a function."""
    kind = f"the {place.kind} of a property" if place.kind in ("setter", "deleter") else f"a {place.kind}"
    return f"# {name} is {kind} of {place.holder}.\n" if place.holder else ""


def _header(source: str) -> str:
    """The function with nothing in its body."""
    [node] = names.parse(source).body
    assert isinstance(node, FunctionNode)
    node.body = [ast.Pass()]
    return ast.unparse(node)


def _is_import(one: Statement) -> bool:
    return one.code.startswith(("import ", "from "))


def _fitted(pieces: Iterable[str]) -> str:
    """Imports stand together, definitions apart; as many, in order, as fit."""
    text, is_whole = "", True
    for piece in filter(None, pieces):
        apart = "" if piece.startswith(("import ", "from ")) else "\n"
        if len(text) + len(apart) + len(piece) <= MAX_CHARACTERS:
            text += apart + piece
        else:
            is_whole = False
    return text if is_whole else text + _LEFT_OUT


def _in_short(one: Statement, outline: Outline) -> str:
    """The statement as it is told; of the function itself nothing."""
    [node] = names.parse(one.code).body[:1]
    if _is_import(one):
        return one.code
    if isinstance(node, FunctionNode) and not outline.holder and node.name == outline.own:
        return ""
    return ast.unparse(ast.fix_missing_locations(outline.of(node))) + "\n"


def _whole(one: Statement, outline: Outline) -> str:
    """The statement as it is, the function itself left out."""
    [node] = names.parse(one.code).body[:1]
    if isinstance(node, FunctionNode) and not outline.holder and node.name == outline.own:
        return ""
    if not isinstance(node, ast.ClassDef) or not outline.holder:
        return one.code
    _leave_out(node, outline)
    return ast.unparse(node) + "\n"


def _leave_out(node: ast.ClassDef, outline: Outline) -> None:
    """Takes the function itself out of its class, however deep inside `node` that is."""
    inside = outline.own if node.name == outline.holder else ""
    kept = [member for member in node.body if not outline.is_itself(member, inside)]
    for member in kept:
        if isinstance(member, ast.ClassDef):
            _leave_out(member, outline)
    node.body = kept or [ast.Expr(ast.Constant(...))]
