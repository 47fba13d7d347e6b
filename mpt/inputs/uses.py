"""What a body asks of a parameter: attributes it reads, types it checks for, in functions it hands it on to as well.

Only what no builtin type has tells something here: `.append` may be a list's, `.begin` is some class's own.
"""

from __future__ import annotations

import ast
import datetime
import decimal
import fractions
import io
import logging
import pathlib
import re
import socket
import types
import uuid
from collections import Counter, OrderedDict, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mpt.source.names import parsed

_DEPTH = 2
"""A parameter is followed into functions of the module that it is passed to, and from there once more."""
_Definition = ast.FunctionDef | ast.AsyncFunctionDef
_BUILTIN = frozenset(
    name for kind in (str, bytes, int, float, complex, list, dict, set, tuple) for name in dir(kind)
) | frozenset(("__name__", "__dict__"))


@dataclass(frozen=True, slots=True)
class Uses:
    """attributes: read from the parameter, or called. checked: types of `isinstance`, as text. called: as a function.

    foreign: those of the attributes that no builtin type has.
    """

    attributes: frozenset[str] = frozenset()
    checked: tuple[str, ...] = ()
    called: bool = False

    @property
    def foreign(self) -> frozenset[str]:
        return self.attributes - _BUILTIN


class Body:
    """A function's body beside the functions of its module."""

    def __init__(self, source: str, module: str) -> None:
        own = _definitions(source)
        self._own = own[0] if own else None
        self._others = {node.name: node for node in _definitions(module)}
        self._methods = {node.name: node for node in _methods(module)}

    def uses(self, name: str) -> Uses:
        """What is done with the parameter; nothing where the body cannot be read."""
        if self._own is None:
            return Uses()
        found = list(self._found(self._own, name, _DEPTH))
        checked = tuple(dict.fromkeys(text for kind, text in found if kind == "check"))
        return Uses(frozenset(text for kind, text in found if kind == "attribute"), checked, ("call", "") in found)

    def _found(self, body: _Definition, name: str, depth: int) -> Iterator[tuple[str, str]]:
        for node in ast.walk(body):
            match node:
                case ast.Attribute(value=ast.Name(id=used), attr=attribute, ctx=ast.Load()) if used == name:
                    yield "attribute", attribute
                case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=used), kinds]) if used == name:
                    for kind in kinds.elts if isinstance(kinds, ast.Tuple) else [kinds]:
                        yield "check", ast.unparse(kind)
                case ast.Call(func=ast.Name(id=used)) if used == name:
                    yield "call", ""
                case ast.Call(func=ast.Name(id=function), args=args) if function in self._others and depth:
                    yield from self._handed_on(self._others[function], args, name, depth)
                case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=method), args=args) if (
                    method in self._methods and depth
                ):
                    yield from self._handed_on(self._methods[method], [ast.Name("self"), *args], name, depth)

    def _handed_on(
        self, function: _Definition, arguments: Iterable[ast.expr], name: str, depth: int
    ) -> Iterator[tuple[str, str]]:
        parameters = [*function.args.posonlyargs, *function.args.args]
        for argument, parameter in zip(arguments, parameters, strict=False):
            if isinstance(argument, ast.Name) and argument.id == name:
                yield from self._found(function, parameter.arg, depth - 1)


def _definitions(text: str) -> list[_Definition]:
    return [node for node in parsed(text).body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def _methods(text: str) -> list[_Definition]:
    members = (member for node in parsed(text).body if isinstance(node, ast.ClassDef) for member in node.body)
    return [member for member in members if isinstance(member, ast.FunctionDef | ast.AsyncFunctionDef)]


# --- which type has such attributes ---------------------------------------------------------------

_STANDARD: tuple[tuple[str, type], ...] = (
    ("datetime", datetime.datetime),
    ("date", datetime.date),
    ("time", datetime.time),
    ("timedelta", datetime.timedelta),
    ("tzinfo", datetime.tzinfo),
    ("Path", pathlib.Path),
    ("StringIO", io.StringIO),
    ("BytesIO", io.BytesIO),
    ("Pattern", re.Pattern),
    ("Match", re.Match),
    ("UUID", uuid.UUID),
    ("Decimal", decimal.Decimal),
    ("Fraction", fractions.Fraction),
    ("deque", deque),
    ("Counter", Counter),
    ("OrderedDict", OrderedDict),
    ("socket", socket.socket),
    ("Logger", logging.Logger),
    ("FunctionType", types.FunctionType),
    ("CodeType", types.CodeType),
    ("type", type),
)
_OTHER_PACKAGES: tuple[tuple[str, frozenset[str]], ...] = tuple(
    (name, frozenset(words.split()))
    for name, words in (
        ("ndarray", "shape dtype ndim size T astype reshape flatten ravel sum mean min max std dot transpose any all"),
        (
            "DataFrame",
            "iloc loc columns index groupby merge shape dtypes drop head values iterrows apply fillna",
        ),
        (
            "Series",
            "iloc loc index rolling ewm shift diff fillna values name apply mean std where min max isnull unique",
        ),
        (
            "Graph",
            "nodes edges adj neighbors degree is_directed is_multigraph add_edge add_node has_edge number_of_nodes"
            " subgraph add_edges_from add_nodes_from remove_node remove_edge _adj graph copy __class__ order"
            " to_undirected",
        ),
    )
)


def types_with(attributes: frozenset[str]) -> list[str]:
    """Types of the standard library and of well-known packages that have all of these, by name; the first three."""
    standard = [name for name, kind in _STANDARD if attributes <= frozenset(dir(kind))]
    others = [name for name, known in _OTHER_PACKAGES if attributes <= known]
    return (standard + others)[:3]
