"""A Prompt → the request for a program (paper §3.1); a reply → the Program in it, or why there is none.

A program is self-contained: the prompt's preamble, then what the reply's code needs to define the entry point. What a
reply does besides (prints, asserts, `if __name__`) is left out: it runs nowhere.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterable, Iterator, Sequence

from mpt import names, syntax
from mpt.names import Pool, Statement
from mpt.syntax import Text
from mpt.values import Function, Message, NoProgram, Origin, Program, Prompt, Request

TEMPLATE = "program-1"
MAX_TOKENS = 1024
"""Three times the longest right program for HumanEval; a model that explains itself is cut off."""

_INSTRUCTION = (
    "You write Python. Answer with one Python code block that holds the complete function and the imports it needs, "
    "and nothing else: no explanation, no example, no test."
)
_QUESTION = "Can you generate python code for the following function?\n\n```python\n{prompt}\n```"
_STOP = ("\n```\n",)
"""The closing fence: an opening one names its language, so it is not taken for one."""


def request(prompt: Prompt, temperature: float, sample: int = 0) -> Request:
    """The paper's question about `prompt`."""
    question = _QUESTION.format(prompt=prompt.text.strip("\n"))
    messages = (Message("system", _INSTRUCTION), Message("user", question))
    return Request(messages, temperature, MAX_TOKENS, TEMPLATE, sample, _STOP)


def target(function: Function) -> Program:
    """The function itself, with those of its module's imports that it needs and what its signature brings along."""
    prompt = function.prompt
    wanted = names.missing(names.statements([prompt.preamble, function.source]))
    imports = Pool(names.imports(function.context)).closure(wanted)
    code = (*(one.code for one in imports), prompt.preamble, function.source)
    return Program(_assembled(_futures(function.context), code), prompt.entry_point, Origin("target"))


def read(reply: str, prompt: Prompt, origin: Origin) -> Program | NoProgram:
    """The program in a reply: in a fence or bare, in one block or several, inside a class, or the body alone."""
    blocks = _blocks(reply)
    joined = ["\n".join(blocks)] if len(blocks) > 1 else []
    found = [code for block in (*blocks, *joined) if (code := _defining(block, prompt.entry_point)) is not None]
    found = found or [code for block in blocks if (code := _completing(block, prompt)) is not None]
    if not found:
        return NoProgram(_why_not(blocks, prompt.entry_point), origin)
    code = min(found, key=lambda one: len(_missing(one, prompt)))
    futures = [future for text in (prompt.preamble, *blocks) for future in _futures(text)]
    return Program(_assembled(futures, (prompt.preamble, code)), prompt.entry_point, origin)


# --- from a reply to code -------------------------------------------------------------------------


def _blocks(reply: str) -> list[str]:
    """What stands in fences, the last perhaps unclosed; the whole reply where there are none."""
    blocks: list[list[str]] = []
    inside = False
    for line in reply.splitlines():
        if line.strip().startswith("```"):
            inside = not inside
            if inside:
                blocks.append([])
        elif inside:
            blocks[-1].append(line)
    found = ["\n".join(lines) for lines in blocks] if blocks else [reply]
    return [textwrap.dedent(block) for block in found if block.strip()]


def _defining(code: str, entry_point: str) -> str | None:
    """The statements of `code` that define the entry point and what it needs; None where none does."""
    pool = _pool(code)
    if not any(entry_point in one.binds for one in pool):
        pool += [one for statement in pool if (one := _unwrapped(statement, entry_point)) is not None]
    if not any(entry_point in one.binds for one in pool):
        return None
    chosen = Pool(pool).closure([entry_point])
    if names.missing(chosen):  # a star import may have what is missing
        chosen = Pool(pool).closure([entry_point, names.STAR])
    return "\n\n".join(one.code.strip("\n") for one in chosen)


def _pool(code: str) -> list[Statement]:
    """The imports, definitions and assignments of `code` that parse."""
    pieces = (piece for piece in syntax.pieces(Text(code)) if piece.kind in ("import", "definition"))
    return list(names.statements(textwrap.dedent(code[piece.start : piece.end]) for piece in pieces))


def _unwrapped(statement: Statement, entry_point: str) -> Statement | None:
    """For `class Solution:` with the entry point as a method: the method of an instance, by the plain name."""
    node = names.parse(statement.code).body[0]
    if isinstance(node, ast.ClassDef) and any(
        isinstance(inner, ast.FunctionDef) and inner.name == entry_point for inner in node.body
    ):
        code = f"{entry_point} = {node.name}().{entry_point}"
        return Statement(code, frozenset({entry_point}), frozenset({node.name}))
    return None


def _completing(code: str, prompt: Prompt) -> str | None:
    """The prompt's signature and docstring with `code` as the body; None where that is no function that answers."""
    head = prompt.signature + "".join(segment.text for segment in prompt.segments).rstrip()
    indentation = prompt.signature.rpartition("\n")[2]
    indentation = indentation if indentation and not indentation.strip() else "    "
    first, newline, rest = code.strip("\n").partition("\n")
    for body in (textwrap.dedent(code), first.lstrip() + newline + textwrap.dedent(rest)):
        whole = head + "\n" + textwrap.indent(body.strip("\n"), indentation)
        if _answers(whole):
            return whole
    return None


def _answers(code: str) -> bool:
    """Does it parse, with a return, yield or raise of the outermost function's own?"""
    try:
        todo: list[ast.AST] = [*names.parse(code).body]
    except SyntaxError:
        return False
    if len(todo) != 1:
        return False
    todo = list(ast.iter_child_nodes(todo[0]))
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Return | ast.Yield | ast.YieldFrom | ast.Raise):
            return True
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            todo.extend(ast.iter_child_nodes(node))
    return False


def _missing(code: str, prompt: Prompt) -> frozenset[str]:
    """Names that a found program needs and nobody provides."""
    return names.missing(names.statements([prompt.preamble, code]))


def _why_not(blocks: Sequence[str], entry_point: str) -> str:
    if not blocks:
        return "the reply is empty"
    defined = sorted({name for block in blocks for one in _pool(block) if _is_definition(one) for name in one.binds})
    for block in blocks:
        try:
            names.parse(block)
        except SyntaxError as error:
            if entry_point in block and "def " in block:
                return f"the reply's code does not parse: {error.msg} in its line {error.lineno}"
    if defined:
        return f"the reply's code defines {', '.join(map(repr, defined[:3]))}, not {entry_point!r}"
    return f"the reply holds no code that defines {entry_point!r}"


def _is_definition(statement: Statement) -> bool:
    return not isinstance(names.parse(statement.code).body[0], ast.Import | ast.ImportFrom)


# --- one source -----------------------------------------------------------------------------------


def _assembled(futures: Iterable[str], codes: Iterable[str]) -> str:
    """The pieces in order, `from __future__` first, as Python demands."""
    bodies = (_without_futures(code).strip("\n") for code in codes)
    return "\n\n\n".join(filter(None, ("".join(dict.fromkeys(futures)).strip("\n"), *bodies))) + "\n"


def _futures(code: str) -> Iterator[str]:
    for start, end in _future_spans(code):
        yield from names.future_imports(code[start:end])


def _without_futures(code: str) -> str:
    for start, end in reversed(list(_future_spans(code))):
        code = code[:start] + code[end:]
    return code


def _future_spans(code: str) -> Iterator[tuple[int, int]]:
    for piece in syntax.pieces(Text(code)):
        if piece.kind == "future":
            yield piece.start, piece.end
