"""Objects as methods of their own leave them: an empty stack tells little of `pop`, one that was pushed to does."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

from mpt.inputs.fields import Field, declared
from mpt.values import Shape

MAX_WAYS = 2
"""So many methods are used to change an object before it is passed."""
TIMES = (1, 3)
"""So often is each called."""
_FILLS = ("add", "push", "append", "insert", "put", "set", "update", "extend", "enqueue", "deposit", "register")
_CHANGING = frozenset(
    ("append", "add", "insert", "extend", "update", "push", "pop", "remove", "discard", "clear", "setdefault", "put")
) | frozenset(("appendleft", "popleft", "sort", "reverse", "popitem", "write"))


def grown(
    whole: Shape, bases: Sequence[ast.ClassDef], method: str, shape_of: Callable[[Field, ast.ClassDef], Shape]
) -> Iterator[Shape]:
    """The object `whole` after calls of methods that change it and take something; of the judged one if no other does.

    bases: its class, and those of the module that it derives from. shape_of: of one argument of a method.
    """
    for node, changer in _changers(bases, method):
        needed = [field for field in declared(changer.args) if field.needed]
        shapes = [shape_of(field, node) for field in needed]
        for times in TIMES:
            text = _after(changer.name, needed, times)
            yield Shape("call", (whole, *shapes * times), call=text, names=("",) * (1 + len(shapes) * times))


def _changers(bases: Sequence[ast.ClassDef], method: str) -> list[tuple[ast.ClassDef, ast.FunctionDef]]:
    """Those that fill it first."""
    members = [(node, one) for node in bases for one in node.body if isinstance(one, ast.FunctionDef)]
    found = {
        one.name: (node, one)
        for node, one in reversed(members)
        if not one.name.startswith("_") and not one.decorator_list and _changes(one)
    }
    taking = [pair for pair in found.values() if any(field.needed for field in declared(pair[1].args))]
    others = [pair for pair in taking if pair[1].name != method] or taking
    return sorted(others, key=lambda pair: not pair[1].name.startswith(_FILLS))[:MAX_WAYS]


def _changes(method: ast.FunctionDef) -> bool:
    """Does it set an attribute of its object, or an item of one, or call what changes one?"""
    first = next((one.arg for one in (*method.args.posonlyargs, *method.args.args)), "")
    for node in ast.walk(method):
        match node:
            case ast.Attribute(value=ast.Name(id=name), ctx=ast.Store()) if name == first:
                return True
            case ast.Subscript(value=ast.Attribute(value=ast.Name(id=name)), ctx=ast.Store()) if name == first:
                return True
            case ast.Call(func=ast.Attribute(value=inner, attr=called)) if called in _CHANGING and _is_of(inner, first):
                return True
            case ast.Call(func=ast.Attribute(attr="heappush") | ast.Name(id="heappush")):
                return True
    return False


def _is_of(node: ast.expr, first: str) -> bool:
    """`self.items`, `self.groups[key]`."""
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id == first


def _after(name: str, needed: Sequence[Field], times: int) -> str:
    """`lambda it, a, b: (it.push(a), it.push(b), it)[-1]`, which stands in reports."""
    letters = [f"{chr(ord('a') + number % 26)}{number // 26 or ''}" for number in range(len(needed) * times)]
    calls = []
    for start in range(0, len(letters), len(needed)):
        passed = letters[start : start + len(needed)]
        spelt = (f"{f.name}={one}" if f.name else one for f, one in zip(needed, passed, strict=True))
        calls.append(f"it.{name}({', '.join(spelt)})")
    return f"(lambda it, {', '.join(letters)}: ({', '.join(calls)}, it)[-1])"
