"""The parameters of a prompt's signature, read with `ast`."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from mpt.inputs.literals import closing
from mpt.values import Prompt

Kind = Literal["position", "either", "*args", "name", "**kwargs"]
"""How a parameter may be filled: by position only, either way, by name only."""


@dataclass(frozen=True, slots=True)
class Declared:
    """A parameter as the signature declares it; annotation and default as trees, None where there is none."""

    name: str
    kind: Kind
    annotation: ast.expr | None = None
    default: ast.expr | None = None

    @property
    def starred(self) -> bool:
        return self.kind in ("*args", "**kwargs")

    @property
    def positional(self) -> bool:
        return self.kind in ("position", "either")


@dataclass(frozen=True, slots=True)
class Signature:
    """A function's declared parameters, in order.

    type_parameters: PEP 695's, name to bound (None: anything).
    returns: the annotation of what comes back, as text, empty where there is none.
    """

    parameters: tuple[Declared, ...]
    type_parameters: tuple[tuple[str, ast.expr | None], ...] = ()
    returns: str = ""

    @property
    def positional(self) -> tuple[Declared, ...]:
        return tuple(parameter for parameter in self.parameters if parameter.positional)

    def accepts(self, positional: int, keywords: set[str]) -> bool:
        """Does a call with so many positional arguments and these keywords fit?"""
        by_position = self.positional
        if positional > len(by_position) and not self._has("*args"):
            return False
        filled = {parameter.name for parameter in by_position[:positional]}
        names = {p.name for p in self.parameters if not p.starred and p.kind != "position"}
        if keywords & filled or (keywords - names and not self._has("**kwargs")):
            return False
        needed = {p.name for p in self.parameters if p.default is None and not p.starred}
        return needed <= filled | keywords

    def _has(self, kind: Kind) -> bool:
        return any(parameter.kind == kind for parameter in self.parameters)


def signature_of(prompt: Prompt) -> Signature | None:
    """The prompt's signature; None where it does not parse."""
    text = textwrap.dedent(prompt.signature + "pass\n")
    tree = _parse(text)
    type_parameters: tuple[tuple[str, ast.expr | None], ...] = ()
    if tree is None:
        text, type_parameters = _without_type_parameters(text, prompt.entry_point)
        tree = _parse(text)
    if tree is None:
        return None
    returns = ast.unparse(tree.returns) if tree.returns else ""
    return Signature(tuple(_declared(tree.args)), type_parameters or _type_parameters(tree), returns)


def _declared(arguments: ast.arguments) -> Iterator[Declared]:
    by_position = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(by_position) - len(arguments.defaults)) + arguments.defaults
    for index, (arg, default) in enumerate(zip(by_position, defaults, strict=True)):
        yield Declared(arg.arg, "position" if index < len(arguments.posonlyargs) else "either", arg.annotation, default)
    if arguments.vararg:
        yield Declared(arguments.vararg.arg, "*args", arguments.vararg.annotation)
    for arg, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield Declared(arg.arg, "name", arg.annotation, value)
    if arguments.kwarg:
        yield Declared(arguments.kwarg.arg, "**kwargs", arguments.kwarg.annotation)


def _parse(text: str) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    functions = [node for node in body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return functions[0] if functions else None


def _type_parameters(tree: ast.AST) -> tuple[tuple[str, ast.expr | None], ...]:
    """What Python 3.12 and later read from `def f[T: int](…)`."""
    return tuple((node.name, getattr(node, "bound", None)) for node in getattr(tree, "type_params", []))


def _without_type_parameters(text: str, name: str) -> tuple[str, tuple[tuple[str, ast.expr | None], ...]]:
    """The same for an older Python, which cannot parse them: cut out, and read as if they were parameters."""
    start = re.search(rf"\bdef\s+{re.escape(name)}\s*(?=\[)", text)
    end = closing(text, start.end()) if start else None
    if start is None or end is None:
        return text, ()
    tree = _parse(f"def f({text[start.end() + 1 : end - 1]}): pass")
    declared = tree.args.args if tree else []
    return text[: start.end()] + text[end:], tuple((arg.arg, arg.annotation) for arg in declared)
