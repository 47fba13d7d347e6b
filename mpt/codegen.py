"""A Prompt → the request for a program (paper §3.1); a reply → the Program in it, or why there is none.

A program is self-contained: the prompt's preamble, then what the reply's code needs to define the entry point. What a
reply does besides (prints, asserts, `if __name__`) is left out: it runs nowhere.
"""

from __future__ import annotations

import ast
import builtins
import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence

from mpt import source
from mpt.source import names, syntax
from mpt.source.names import Pool, Statement
from mpt.source.syntax import Text
from mpt.values import Function, Message, NoProgram, Origin, Place, Program, Prompt, Request

TEMPLATE = "program-1"
MAX_TOKENS = 1024
"""Three times the longest right program for HumanEval; a model that explains itself is cut off."""

_INSTRUCTION = (
    "You write Python. Answer with one Python code block that holds the complete function and the imports it needs, "
    "and nothing else: no explanation, no example, no test."
)
_QUESTION = "Can you generate python code for the following function?\n\n```python\n{prompt}\n```"
_IN_MODULE = (
    "The module has this already. Use it, and do not write it again:\n\n```python\n{preamble}\n```\n\n"
    "Can you generate python code for the following function, and for it alone?\n\n```python\n{function}\n```"
)
"""The same of a function in its module: asked as above, a small model begins with what it was told of the module."""
_WITHOUT = "An earlier program for it cannot be loaded here: {lacking}. Do without that."
_ALONE = "An earlier answer wrote the class {holder} again. Write the function {name} alone, with no class around it."
_BARE = "An earlier answer had no body. Write the function {name} with its body, and leave its docstring out."
UNLOADABLE = "the reply's program cannot be loaded: "
_STOP = ("\n```\n",)
"""The closing fence: an opening one names its language, so it is not taken for one."""


def request(
    prompt: Prompt, temperature: float, sample: int = 0, place: Place | None = None, fault: str = ""
) -> Request:
    """The paper's question about `prompt`.

    place: where in the module the function stands; the preamble tells of that. fault: of an earlier reply to it.
    """
    question = _QUESTION.format(prompt=prompt.text.strip("\n"))
    if place is not None and prompt.preamble.strip():
        function = prompt.text[len(prompt.preamble) :].strip("\n")
        question = _IN_MODULE.format(preamble=prompt.preamble.strip("\n"), function=function)
    if fault:
        question += f"\n\n{fault}"
    messages = (Message("system", _INSTRUCTION), Message("user", question))
    return Request(messages, temperature, MAX_TOKENS, TEMPLATE, sample, _STOP)


def unloadable(program: Program, detail: str) -> NoProgram:
    """In place of a program that cannot be loaded where it is to run. detail: what the interpreter says.

    That may name files of this machine. So a model is told no more than names that stand in the program itself, or the
    kind of the error.
    """
    fault = _WITHOUT.format(lacking=_lacking(program.source, detail))
    return NoProgram(UNLOADABLE + detail, program.origin, fault)


def _lacking(code: str, detail: str) -> str:
    named = re.search(r"(No module named|name|cannot import name) '([\w.]+)'(?: from '([\w.]+)')?", detail)
    if named and all(_stands_in(code, word) for word in named.groups()[1:] if word):
        kind, name, module = named.groups()
        if kind == "No module named":
            return f"there is no module {name!r}"
        return f"there is no {name!r}" + (f" in {module!r}" if module else "")
    kind = detail.partition(":")[0]
    return f"it ends in {kind}" if isinstance(getattr(builtins, kind, None), type) else "loading it does not end well"


def _stands_in(code: str, word: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(word)}(?!\w)", code) is not None


def target(function: Function) -> Program:
    """The function itself: in its place in its module, or with those of its module's imports that it needs and what its
    signature brings along."""
    if function.place is not None:
        return Program(function.source, function.prompt.entry_point, Origin("target"), function.place)
    prompt = function.prompt
    wanted = names.missing(names.statements([prompt.preamble, function.source]))
    imports = "".join(one.code for one in Pool(names.imports(function.context)).closure(wanted))
    futures = source.read_module(Text(function.context)).futures
    code = _assembled(futures, imports, prompt.preamble, function.source)
    return Program(code, prompt.entry_point, Origin("target"))


def read(reply: str, prompt: Prompt, origin: Origin, place: Place | None = None) -> Program | NoProgram:
    """The program in a reply: in a fence or bare, in one block or several, inside a class, or the body alone.

    place: where in its module the program is put; the prompt's preamble is told of that module, and no part of it then.
    """
    blocks = _blocks(reply)
    joined = ["\n".join(blocks)] if len(blocks) > 1 else []
    holder = place.holder if place else ""
    found = [code for block in (*blocks, *joined) if (code := _defining(block, prompt.entry_point, holder)) is not None]
    found = found or [code for block in blocks if (code := _completing(block, prompt)) is not None]
    if not found:
        return _no_program(blocks, prompt.entry_point, origin, holder)
    found = [code for code in found if not _is_borrowed(code, prompt.entry_point, place)]
    if not found:
        return NoProgram(f"the reply's code imports {prompt.entry_point!r} instead of writing it", origin)
    code = min(found, key=lambda one: len(names.missing(names.statements([prompt.preamble, one]))))
    around = place.module.text if place else prompt.preamble
    imports = source.forgotten_imports(code, around) if origin.role == "paraphrase" else ""
    preamble = "" if place else prompt.preamble
    futures = "".join(source.read_module(Text(text)).futures for text in (preamble, *blocks))
    return Program(_assembled(futures, imports, preamble, code), prompt.entry_point, origin, place)


# --- from a reply to code -------------------------------------------------------------------------


def _blocks(reply: str) -> list[str]:
    """What stands in fences, the last perhaps unclosed; the whole reply where there are none.

    As in CommonMark a fence is closed by a bare one, as long and hardly further in: a docstring may hold fences too.
    """
    blocks: list[list[str]] = []
    closing: re.Pattern[str] | None = None
    lines = [line.rstrip("\r\n") for line in Text(reply).lines]
    for line in lines:
        if closing is None and (opening := re.match(r"([ \t]*)(`{3,})", line)):
            closing = re.compile(rf"[ \t]{{0,{len(opening[1]) + 3}}}`{{{len(opening[2])},}}[ \t]*$")
            blocks.append([])
        elif closing is not None and closing.match(line):
            closing = None
        elif closing is not None:
            blocks[-1].append(line)
    return [textwrap.dedent("\n".join(block)) for block in blocks or [lines] if any(map(str.strip, block))]


def _defining(code: str, entry_point: str, holder: str = "") -> str | None:
    """The statements of `code` that define the entry point, with a body, and what it needs; None where none do.

    holder: the class it is a method of; the method is taken out of it.
    """
    pool = source.read_module(Text(code)).pool
    if entry_point not in pool.binders and holder:
        pool = Pool([inner for one in pool.statements for inner in _opened(one, entry_point)])
    elif entry_point not in pool.binders:
        pool = Pool((*pool.statements, *_unwrapped(pool.statements, entry_point)))
    chosen = pool.closure([entry_point])
    if names.missing(chosen):  # a star import may have what is missing
        chosen = pool.closure([entry_point, names.STAR])
    definition = next((one for one in reversed(chosen) if entry_point in one.binds), None)
    if definition is None or _is_stub(definition):
        return None
    return "\n\n".join(one.code.strip("\n") for one in chosen)


def _unwrapped(statements: Iterable[Statement], entry_point: str) -> Iterator[Statement]:
    """For `class Solution:` with the entry point as a method: the method of an instance, by the plain name."""
    for statement in statements:
        node = names.parse(statement.code).body[0]
        if isinstance(node, ast.ClassDef) and any(
            isinstance(inner, ast.FunctionDef) and inner.name == entry_point for inner in node.body
        ):
            code = f"{entry_point} = {node.name}().{entry_point}"
            yield Statement(code, frozenset({entry_point}), frozenset({node.name}))


def _opened(one: Statement, entry_point: str) -> Iterator[Statement]:
    """In place of a class that has the entry point as a method: the method alone."""
    [node] = names.parse(one.code).body[:1]
    members = node.body if isinstance(node, ast.ClassDef) else []
    methods = [m for m in members if isinstance(m, ast.FunctionDef | ast.AsyncFunctionDef) and m.name == entry_point]
    if not methods:
        yield one
    for method in methods:
        yield names.statement(_text_of(one.code, method))


def _text_of(code: str, method: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """The method alone; as it was written where ours is too old a Python to spell it."""
    try:
        ast.parse(code)
    except SyntaxError:
        first = min(node.lineno for node in (method, *method.decorator_list))
        return textwrap.dedent("".join(Text(code).lines[first - 1 : method.end_lineno]))
    return ast.unparse(method) + "\n"


def _is_stub(definition: Statement) -> bool:
    node = names.parse(definition.code).body[0]
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and names.has_no_body(node)


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


def _is_borrowed(code: str, entry_point: str, place: Place | None) -> bool:
    """Is it no program of its own, but the function itself: imported by its name, or called in its own package?"""
    tree = names.parse(code)
    if any(_imports(node, entry_point) for node in tree.body):
        return True
    if place is None or place.holder:
        return False
    package = place.module.name.partition(".")[0]
    imports = (node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom))
    near = [node for node in imports if package in _packages(node, package)]
    modules = {alias.asname or package for node in near if isinstance(node, ast.Import) for alias in node.names}
    called = (node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr == entry_point)
    return any(_imports(node, entry_point) for node in near) or any(_root(node) in modules for node in called)


def _imports(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.ImportFrom) and any(alias.name == name for alias in node.names)


def _packages(node: ast.Import | ast.ImportFrom, own: str) -> set[str]:
    """The outermost packages that it imports from; a relative import is from our own."""
    if isinstance(node, ast.Import):
        return {alias.name.partition(".")[0] for alias in node.names}
    return {own if node.level else str(node.module).partition(".")[0]}


def _root(node: ast.expr) -> str:
    """`a` in `a.b.c`."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _no_program(blocks: Sequence[str], entry_point: str, origin: Origin, holder: str) -> NoProgram:
    """Why there is none, and what to do without, where that is plain: a class around it, a docstring without an end."""
    defined = sorted({name for block in blocks for name in source.read_module(Text(block)).defined})
    again = [name for name in holder.split(".") if name in defined]
    for error in map(_syntax_error, (block for block in blocks if entry_point in block and "def " in block)):
        if error is not None:
            reason = f"the reply's code does not parse: {error.msg} in its line {error.lineno}"
            endless = error.msg.startswith("unterminated triple-quoted string")
            return NoProgram(reason, origin, _BARE.format(name=entry_point) if endless else "")
    if entry_point in defined:
        reason = f"the reply's code defines {entry_point!r} without a body"
        return NoProgram(reason, origin, _BARE.format(name=entry_point))
    if defined:
        reason = f"the reply's code defines {', '.join(map(repr, defined[:3]))}, not {entry_point!r}"
        fault = _ALONE.format(holder=again[0], name=entry_point) if again else ""
        return NoProgram(reason, origin, fault)
    nothing = f"the reply holds no code that defines {entry_point!r}" if blocks else "the reply is empty"
    return NoProgram(nothing, origin)


def _syntax_error(code: str) -> SyntaxError | None:
    try:
        names.parse(code)
    except SyntaxError as error:
        return error
    return None


# --- one source -----------------------------------------------------------------------------------


def _assembled(futures: str, *codes: str) -> str:
    """The pieces in order, `from __future__` first, as Python demands."""
    first = "".join(dict.fromkeys(futures.splitlines(keepends=True)))
    parts = (part.strip("\n") for part in (first, *map(_without_futures, codes)))
    return "\n\n\n".join(filter(None, parts)) + "\n"


def _without_futures(code: str) -> str:
    for piece in reversed(syntax.pieces(Text(code))):
        if piece.kind == "future":
            code = code[: piece.start] + code[piece.end :]
    return code
