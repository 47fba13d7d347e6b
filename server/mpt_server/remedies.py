"""What can be written into a document about a disagreement, as edits in code points. Pure.

Only for functions at the left margin, which are the ones that are judged. What cannot be done raises Cannot.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path

from mpt import spelling
from mpt.values import Answer, Arguments, Disagreement, Function, Outcome, Position, Program, Raised, Returned, Span


class Cannot(Exception):
    """Why an edit cannot be made, as a sentence for the person."""


@dataclass(frozen=True, slots=True)
class Replacement:
    """`text` in the place of what stands at `span`."""

    span: Span
    text: str


def choices(disagreement: Disagreement) -> dict[str, Outcome]:
    """What the input may give, by how it is said: the function's answer, and the paraphrase programs'.

    Only answers that can be written down again: values, and exceptions.
    """
    outcomes = [disagreement.target, *(answer.outcome for answer in disagreement.others)]
    return {spelling.outcome(one): one for one in outcomes if isinstance(one, Raised) or _is_literal(one)}


def _is_literal(outcome: Outcome) -> bool:
    if not isinstance(outcome, Returned):
        return False
    try:
        ast.literal_eval(spelling.literal(outcome.value))
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return False
    return True


# --- into the docstring ---------------------------------------------------------------------------


def example(function: Function, arguments: Arguments, answer: Outcome) -> Replacement:
    """An example that says what the input gives, at the docstring's end."""
    call = spelling.call(function.prompt.entry_point, arguments)
    if isinstance(answer, Raised):
        shown = ["Traceback (most recent call last):", f"{answer.type_name}: …"]
    else:
        shown = [spelling.outcome(answer)]
    return _into_docstring(function, "\n".join([f">>> {call}", *shown]))


def sentence(function: Function, arguments: Arguments, answer: Outcome) -> Replacement:
    """A sentence that says it, at the docstring's end."""
    call = spelling.call(function.prompt.entry_point, arguments)
    said = spelling.outcome(answer)
    verb = "" if isinstance(answer, Raised) else "gives "
    return _into_docstring(function, f"For example, {call} {verb}{said}.")


def _into_docstring(function: Function, text: str) -> Replacement:
    prompt = function.prompt
    if function.span.start.column or len(prompt.segments) < 2:
        raise Cannot("only a documented function at the left margin can be given more to say")
    opening = prompt.segments[0].text.strip()
    quotes = re.sub(r"^[A-Za-z]*", "", opening)[:3]
    if quotes not in ('"""', "'''"):
        raise Cannot("the docstring has no room for more lines: write it with three quotes")
    if "r" not in opening.lower().partition(quotes)[0]:
        text = text.replace("\\", "\\\\")
    if quotes in text:
        raise Cannot("the input holds the docstring's own quotes")
    before = prompt.signature + "".join(segment.text for segment in prompt.segments)
    body = before.removesuffix(quotes).rstrip()
    indent = re.search(r"[ \t]*$", prompt.signature)
    margin = indent[0] if indent else "    "
    lines = "\n".join(margin + line for line in text.split("\n"))
    span = Span(_place(function, body), _place(function, before))
    return Replacement(span, f"\n\n{lines}\n{margin}{quotes}")


def _place(function: Function, before: str) -> Position:
    """The document's place behind so much of the function's text."""
    start = function.span.start
    rows = before.count("\n")
    return Position(start.line + rows, len(before.rpartition("\n")[2]) + (0 if rows else start.column))


# --- elsewhere ------------------------------------------------------------------------------------


def ignore(function: Function) -> Replacement:
    start = Position(function.span.start.line, 0)
    return Replacement(Span(start, start), " " * function.span.start.column + "# mpt: ignore\n")


def majority(function: Function, program: Program) -> Replacement:
    """The program's body under the function's own signature and docstring, what it needs besides above them."""
    if function.span.start.column:
        raise Cannot("only a function at the left margin can be replaced")
    head = function.prompt.signature + "".join(segment.text for segment in function.prompt.segments)
    return Replacement(function.span, _needs(function, program) + head + "\n" + _body(program, _margin(function)))


def _body(program: Program, margin: str) -> str:
    node = _definition(program)
    statements = node.body[1:] if ast.get_docstring(node) is not None else node.body
    if not statements:
        raise Cannot("the program has no body")
    rewritten = ast.unparse(ast.Module(statements, []))
    return "\n".join(margin + line if line.strip() else line for line in rewritten.split("\n"))


def _needs(function: Function, program: Program) -> str:
    """Imports and helpers of the program that the document does not have."""
    definition = _definition(program)
    others = [node for node in ast.parse(program.source).body if ast.dump(node) != ast.dump(definition)]
    known = function.context + function.prompt.preamble + (function.place.module.text if function.place else "")
    texts = [text for node in others if (text := ast.unparse(node)) not in known]
    return "".join(f"{text}\n" for text in texts) + ("\n\n" if texts else "")


def _definition(program: Program) -> ast.FunctionDef:
    try:
        body = ast.parse(program.source).body
    except (SyntaxError, ValueError, RecursionError):
        raise Cannot("the program does not parse") from None
    for node in reversed(body):
        if isinstance(node, ast.FunctionDef) and node.name == program.entry_point:
            return node
    raise Cannot("the program does not define the function")


def _margin(function: Function) -> str:
    found = re.search(r"\n([ \t]+)$", function.prompt.signature)
    return found[1] if found else "    "


# --- a test ---------------------------------------------------------------------------------------


def pytest_test(function: Function, module: str, arguments: Arguments, answer: Outcome, number: int) -> str:
    """A test function that says what the input gives. module: how the function's module is imported."""
    name = function.prompt.entry_point
    call = spelling.call(name, arguments)
    head = f"def test_{name}_{number}() -> None:\n    from {module} import {name}\n\n"
    if isinstance(answer, Raised):
        return f"{head}    with pytest.raises({answer.type_name}):\n        {call}\n"
    return f"{head}    assert {call} == {spelling.outcome(answer)}\n"


def module_of(path: Path, root: Path) -> str:
    """How tests import a file: its path below the root, `src` left out."""
    inside = path.relative_to(root) if path.is_relative_to(root) else Path(path.name)
    parts = inside.with_suffix("").parts
    return ".".join(parts[1:] if parts[0] == "src" and len(parts) > 1 else parts)


def rival_program(programs: tuple[Program, ...], rival: Answer) -> Program:
    return programs[rival.programs[0]]
