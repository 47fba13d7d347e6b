"""Python literals as they stand in docstrings, read with `ast` and never evaluated.

Beyond `ast.literal_eval`: `set()`, `float('nan')`, `Decimal('1.2')` and the like, small arithmetic (`10**9`,
`[0] * 5`), and, where prose is read, `true`, `false` and `null`.
"""

from __future__ import annotations

import ast
import collections
import decimal
import fractions
import math
import operator
import re
import warnings
from collections.abc import Callable
from typing import Any

MAX_TEXT = 20_000
"""Characters of one literal; longer ones are not examples to learn from."""
_BIGGEST = 10**1000


class Unreadable(ValueError):
    """The text is no literal we can read."""


def parse_expression(text: str) -> ast.expr:
    """The expression in `text`, outer white space aside. Raises Unreadable."""
    try:
        if len(text) > MAX_TEXT:
            raise Unreadable("too long")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # '\d' in somebody's docstring is not our warning
            return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Unreadable(str(error)) from None


def read_text(text: str) -> Any:
    """The object `text` spells. Raises Unreadable."""
    return read(parse_expression(text))


def read(node: ast.expr) -> Any:
    """The object a literal's tree stands for. Raises Unreadable."""
    try:
        return _read(node)
    except (TypeError, ValueError, ArithmeticError, RecursionError) as error:
        raise Unreadable(str(error)) from None


def _read(node: ast.expr) -> Any:
    match node:
        case ast.Constant(value=value) if value is not ...:
            return value
        case ast.List(elts=items):
            return [_read(item) for item in items]
        case ast.Tuple(elts=items):
            return tuple(_read(item) for item in items)
        case ast.Set(elts=items):
            return {_read(item) for item in items}
        case ast.Dict(keys=keys, values=values):
            return {_read(_given(key)): _read(value) for key, value in zip(keys, values, strict=True)}
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_number(_read(operand))
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _number(_read(operand))
        case ast.BinOp(left=left, op=op, right=right):
            return _arithmetic(op, _read(left), _read(right))
        case ast.Name(id=name) if name in _NAMES:
            return _NAMES[name]
        case ast.Attribute(value=ast.Name(id="math"), attr=name) if name in _NAMES:
            return _NAMES[name]
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=args, keywords=[]) if name in _CALLS:
            return _made(name, [_read(arg) for arg in args])
    raise Unreadable(f"no literal: {ast.unparse(node)[:80]}")


def _given(key: ast.expr | None) -> ast.expr:
    if key is None:
        raise Unreadable("a dict unpacks another")
    return key


def _number(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float | complex):
        raise Unreadable("a sign before no number")
    return value


def _arithmetic(op: ast.operator, left: Any, right: Any) -> Any:
    if isinstance(op, ast.Mult) and isinstance(left, list | str) and isinstance(right, int):
        if len(left) * right > MAX_TEXT:
            raise Unreadable("too long")
        return left * right
    compute = _OPERATORS.get(type(op))
    if compute is None:
        raise Unreadable("an operator")
    _number(left), _number(right)
    if isinstance(op, ast.Pow) and (abs(right) > 1000 or abs(left) > 10**6):
        raise Unreadable("too large")
    value = compute(left, right)
    if isinstance(value, int) and abs(value) > _BIGGEST:
        raise Unreadable("too large")
    return value


def _made(name: str, args: list[Any]) -> Any:
    if name == "range" and any(abs(arg) > 10**6 for arg in args):
        raise Unreadable("too long")
    return _CALLS[name](*args)


_NAMES: dict[str, Any] = {"nan": math.nan, "inf": math.inf, "pi": math.pi, "e": math.e}

_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}

_CALLS: dict[str, Callable[..., Any]] = {
    "set": set,
    "frozenset": frozenset,
    "list": list,
    "tuple": tuple,
    "dict": dict,
    "float": float,
    "complex": complex,
    "range": range,
    "bytearray": bytearray,
    "deque": collections.deque,
    "Decimal": decimal.Decimal,
    "Fraction": fractions.Fraction,
}

# --- a literal at a place in prose ----------------------------------------------------------------

_WORDS = {"true": True, "false": False, "null": None, "none": None, "True": True, "False": False, "None": None}
_SCALAR = re.compile(
    r"[+-]?(?:\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+)[jJ]?|[rbRB]{0,2}(?=['\"])|(?:float|set|frozenset|Decimal|Fraction)(?=\()|[A-Za-z]+"
)
_CLOSERS = {"(": ")", "[": "]", "{": "}"}


def literal_at(text: str, start: int) -> tuple[Any, int] | None:
    """The literal that begins at `start`, and where it ends; None where none does.

    It ends where a reader would stop: `24 # sum`, `"YES".`, `True\\n`; but `""aaa"` and `5x` are no literals.
    """
    end = literal_end(text, start)
    if end is None or re.match(r"[\w'\"(\[]", text[end : end + 1]):
        return None
    words = text[start:end]
    if words in _WORDS:
        return _WORDS[words], end
    try:
        return read_text(words), end
    except Unreadable:
        return None


def literal_end(text: str, start: int) -> int | None:
    """Where the bracketed, quoted or plain piece that begins at `start` ends; None where there is none."""
    if text[start : start + 1] in _CLOSERS:
        return closing(text, start)
    scalar = _SCALAR.match(text, start)
    end = scalar.end() if scalar else start
    if text[end : end + 1] in ("'", '"'):
        return _string_end(text, end)
    if scalar and end > start and text[end : end + 1] == "(":
        return closing(text, end)
    return end if end > start else None


def closing(text: str, start: int) -> int | None:
    """One past the bracket that closes the one at `start`, strings skipped; None where it is never closed."""
    expected: list[str] = []
    at, limit = start, min(len(text), start + MAX_TEXT)
    while at < limit:
        char = text[at]
        if char in "'\"":
            end = _string_end(text, at)
            if end is None:
                return None
            at = end
            continue
        if char in _CLOSERS:
            expected.append(_CLOSERS[char])
        elif char in ")]}":
            if char != expected.pop():
                return None
            if not expected:
                return at + 1
        at += 1
    return None


def _string_end(text: str, start: int) -> int | None:
    quote = text[start]
    at = start + 1
    while at < len(text) and text[at] != "\n":
        if text[at] == "\\":
            at += 1
        elif text[at] == quote:
            return at + 1
        at += 1
    return None
