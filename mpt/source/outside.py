"""What a function reads from outside, and what it finds there instead when it is judged: the same in every run."""

from __future__ import annotations

import ast

from mpt.source import names
from mpt.values import Function

_CLOCK = "reads the clock, which stands still at 2024-01-02 03:04:05 UTC"
_CHANCE = (
    "reads random numbers, which are the same for all programs; where others change its answer, the input is dropped"
)
_ENVIRONMENT = "reads the environment, which is all but empty"
_FILES = "reads or writes files, and there are none"
_SAID: dict[str, str] = {
    **dict.fromkeys(("now", "utcnow", "today", "time.time", "time.time_ns", "localtime", "gmtime"), _CLOCK),
    **dict.fromkeys(("random", "randint", "randrange", "shuffle", "choice", "choices", "sample", "uniform"), _CHANCE),
    **dict.fromkeys(("environ", "getenv"), _ENVIRONMENT),
    **dict.fromkeys(("open", "read_text", "read_bytes", "write_text", "write_bytes", "listdir", "iterdir"), _FILES),
}


def only_acts(function: Function) -> bool:
    """Has it nothing to give back: no `return` with a value, no `yield`?"""
    try:
        [node] = names.parse(function.source).body[:1]
    except SyntaxError:
        return False
    todo = list(ast.iter_child_nodes(node))
    while todo:
        inner = todo.pop()
        if isinstance(inner, ast.Yield | ast.YieldFrom) or (isinstance(inner, ast.Return) and _is_value(inner.value)):
            return False
        if not isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            todo.extend(ast.iter_child_nodes(inner))
    return True


def _is_value(node: ast.expr | None) -> bool:
    return node is not None and not (isinstance(node, ast.Constant) and node.value is None)


def read_outside(source: str) -> tuple[str, ...]:
    """A clause for each kind of thing; by the names it uses, so one that is only called alike is told too."""
    try:
        nodes = list(ast.walk(names.parse(source)))
    except SyntaxError:
        return ()
    used = [ast.unparse(node) for node in nodes if isinstance(node, ast.Attribute | ast.Name)]
    said = (_SAID.get(name) or _SAID.get(name.rpartition(".")[2]) for name in used)
    return tuple(dict.fromkeys(clause for clause in said if clause))
