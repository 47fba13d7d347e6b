"""A document's text → its Functions, each with the Prompt it was written from; a Prompt → the same, reworded.

Pure, and it survives whatever does not parse elsewhere in the document. What keeps a function from being judged is
its `obstacle`, never an exception.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from symtable import SymbolTable

from mpt.errors import UsageError
from mpt.source import docstring, names, places, syntax
from mpt.source.names import Pool, Statement
from mpt.source.syntax import Definition, Text
from mpt.source.toplevel import TopLevel, read_module
from mpt.values import Function, Module, Place, Prompt, Segment

MAX_PREAMBLE = 8_000
"""Characters of the module's own definitions that may be sent along because a signature needs them."""


def find_functions(text: str, path: str = "<text>", module: Module | None = None) -> tuple[Function, ...]:
    """Every function and method of a document, nested ones too, in its order. Never raises.

    module: the document as a module (its text is set here); where none is given, one that lies in no folder.
    """
    document = Text(text)
    whole = Pool(places.whole_statements(document))
    named = replace(module or Module("document", ""), text=text)
    around = _Around(named, read_module(document), whole, _symbols(text))
    seen: Counter[str] = Counter()
    found = []
    for definition in syntax.definitions(document):
        function = _function(document, around, definition, path)
        found.append(replace(function, ordinal=seen[function.name]))
        seen[function.name] += 1
    return tuple(found)


def parse_prompt(text: str, entry_point: str) -> Prompt:
    """A whole prompt as HumanEval writes them: imports and helpers, then a signature with a docstring and no body.

    Raises UsageError where no function of that name with a docstring is there.
    """
    try:
        body = names.parse(text).body
    except SyntaxError as error:
        raise UsageError(f"the prompt of {entry_point!r} does not parse: {error.msg} in line {error.lineno}") from None
    for node in reversed(body):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == entry_point:
            prompt = _prompt(Text(text), node)
            if prompt.segments:
                return _with_rest(prompt, text[len(prompt.text) :])
    raise UsageError(f"the prompt defines no function {entry_point!r} with a docstring")


def _with_rest(prompt: Prompt, rest: str) -> Prompt:
    *others, closing = prompt.segments
    return replace(prompt, segments=(*others, Segment("other", closing.text + rest)))


def reword(prompt: Prompt, descriptions: Sequence[str]) -> Prompt:
    """The prompt with one new text in place of each description; everything else stays byte for byte.

    Raises ValueError where there are not as many texts as descriptions, or where Python would not read the outcome
    as the same signature with one docstring.
    """
    fresh = iter(descriptions)
    if len(descriptions) != sum(segment.kind == "description" for segment in prompt.segments):
        raise ValueError("one text a description")
    before, segments = prompt.signature, []
    for segment in prompt.segments:
        text = segment.text
        if segment.kind == "description":
            text = docstring.fit(next(fresh), segment.text, before, docstring.opening(prompt.segments[0].text))
        segments.append(Segment(segment.kind, text))
        before += segment.text
    reworded = replace(prompt, segments=tuple(segments))
    if _skeleton(reworded) != _skeleton(prompt):
        raise ValueError("the new text does not fit into the docstring")
    return reworded


def _skeleton(prompt: Prompt) -> str:
    """What Python reads, the docstring's text apart. Raises ValueError where it reads nothing."""
    try:
        tree = names.parse(prompt.text)
        for node in tree.body:
            doc = _docstring_node(node) if isinstance(node, _FUNCTION) and node.name == prompt.entry_point else None
            if doc is not None:
                doc.value = ""
        return ast.dump(tree)
    except (SyntaxError, RecursionError):
        raise ValueError("the prompt with the new text does not parse") from None


# --- one function ---------------------------------------------------------------------------------

_FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)
_AnyFunction = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class _Around:
    """What is around a function: the module it is in, what stands at the top level there, in single imports and
    definitions and in whole statements, and its symbols."""

    module: Module
    top: TopLevel
    whole: Pool
    symbols: SymbolTable | None


def _symbols(text: str) -> SymbolTable | None:
    try:
        return names.table(text)
    except SyntaxError:
        return None


def _function(document: Text, around: _Around, definition: Definition, path: str) -> Function:
    name = document.text[definition.name_start : definition.name_end]
    source = _dedented(document, definition)
    try:
        prompt, place = _prompt_and_place(source, around, definition)
    except SyntaxError as error:
        line = document.position(definition.start).line + (error.lineno or 1)
        prompt, place = Prompt("", source, (), name), f"it has a syntax error in line {line}: {error.msg}"
    return Function(
        path=path,
        name=".".join((*definition.within, name)),
        ordinal=0,
        prompt=prompt,
        source=source,
        context=_context(place, source, around),
        span=document.span(definition.start, definition.end),
        name_span=document.span(definition.name_start, definition.name_end),
        obstacle=place if isinstance(place, str) else None,
        place=place if isinstance(place, Place) else None,
    )


def _context(place: Place | str | None, source: str, around: _Around) -> str:
    if not isinstance(place, Place):
        return around.top.context
    try:
        return places.needed(place, source, around.whole, around.top.futures)
    except SyntaxError:  # `nonlocal`, where nothing is around it
        return around.top.context


def _dedented(document: Text, definition: Definition) -> str:
    """The function's text as it would stand at column 0; lines inside strings other than its docstring keep theirs."""
    text = document.text[definition.start : definition.end]
    start = document.position(definition.start)
    indentation = document.lines[start.line][: start.column]
    if not indentation or indentation.strip():
        return text
    return "".join(
        line if row in definition.verbatim else line.removeprefix(indentation)
        for row, line in enumerate(Text(text).lines, start.line)
    )


def _prompt_and_place(source: str, around: _Around, definition: Definition) -> tuple[Prompt, Place | str | None]:
    """With what stands in the way of judging it, where something does. Raises SyntaxError."""
    body = names.parse(source).body
    if len(body) != 1 or not isinstance(body[0], _FUNCTION):
        raise SyntaxError("invalid syntax")
    text, node = Text(source), body[0]
    prompt = _prompt(text, node)
    if places.is_overload(node):
        return prompt, "it is one signature of an overloaded function: the function that has the body is judged"
    if not prompt.segments:
        return prompt, "it has no docstring"
    if places.is_abstract(node):
        return prompt, "it is abstract and has no body: where a class below it writes one, that is judged"
    if not prompt.has_description:
        return prompt, "its docstring holds no description"
    if definition.holder:
        return prompt, places.place_of(around.module, around.symbols, definition, node)
    brought = _brought(text, node, around.top)
    whole = replace(prompt, preamble=_preamble(brought, around.top))
    own = names.statement(source)
    rest = [one for one in (node.args.vararg, node.args.kwarg) if one is not None]
    told = len(whole.preamble) <= MAX_PREAMBLE and all(one.annotation for one in rest)  # else only a module makes them
    if told and not _missing(own, brought, around.top) and places.stands_alone(own, brought, around.top.pool):
        return whole, None
    return prompt, places.place_of(around.module, around.symbols, definition, node)


def _prompt(text: Text, node: _AnyFunction) -> Prompt:
    """With everything before the function as its preamble, and nothing after its docstring."""
    first = node.decorator_list[0] if node.decorator_list else node
    start = text.offset(first.lineno - 1, 0)
    doc = _docstring_node(node)
    if doc is not None and doc.end_lineno is not None and doc.end_col_offset is not None:
        opening = text.offset(doc.lineno - 1, doc.col_offset)
        literal = text.text[opening : text.offset(doc.end_lineno - 1, doc.end_col_offset)]
        signature = text.text[start:opening]
        if docstring.literal(literal) is not None and not signature.rstrip().endswith("("):
            return Prompt(text.text[:start], signature, docstring.split(literal), node.name)
    return Prompt(text.text[:start], text.text[start : _body_start(text, node)], (), node.name)


def _docstring_node(node: _AnyFunction) -> ast.Constant | None:
    """The string a body begins with; imports before it are overlooked (HumanEval/115 has one)."""
    for statement in node.body:
        if not isinstance(statement, ast.Import | ast.ImportFrom):
            value = statement.value if isinstance(statement, ast.Expr) else None
            return value if isinstance(value, ast.Constant) and isinstance(value.value, str) else None
    return None


def _body_start(text: Text, node: _AnyFunction) -> int:
    first: ast.stmt | ast.expr = node.body[0]
    decorators = getattr(first, "decorator_list", [])
    if decorators:
        return text.offset(decorators[0].lineno - 1, decorators[0].col_offset) - 1
    return text.offset(first.lineno - 1, first.col_offset)


# --- what the module around it provides -----------------------------------------------------------


def _brought(text: Text, node: _AnyFunction, module: TopLevel) -> tuple[Statement, ...]:
    """The imports and definitions of the module that the signature needs, and what these need."""
    header = names.statement(text.text[: _body_start(text, node)] + "pass")
    annotations = [node.returns, *(arg.annotation for arg in ast.walk(node.args) if isinstance(arg, ast.arg))]
    wanted = header.needs.union(*map(_quoted_names, annotations)) - {node.name}
    return tuple(one for one in module.pool.closure(wanted) if node.name not in one.binds)


def _quoted_names(annotation: ast.expr | None) -> frozenset[str]:
    """Names in the parts of an annotation that are written as strings; not in `Literal["red"]`."""
    found: set[str] = set()
    todo: list[ast.AST] = [annotation] if annotation is not None else []
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.update(*(one.needs for one in names.statements([node.value])))
        elif not (isinstance(node, ast.Subscript) and _last_name(node.value) == "Literal"):
            todo.extend(ast.iter_child_nodes(node))
    return frozenset(found)


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _preamble(brought: Sequence[Statement], module: TopLevel) -> str:
    """Definitions set apart by blank lines, as HumanEval's prompts have them."""
    if not brought:
        return ""
    definitions = [one.code for one in brought if one.binds & module.defined]
    imports = module.futures + "".join(one.code for one in brought if not one.binds & module.defined)
    return "\n\n".join(filter(None, (imports, *definitions))) + "\n\n"


def _missing(own: Statement, brought: Sequence[Statement], module: TopLevel) -> list[str]:
    """Names that the function, or what it brings along, needs from the module and that are not there for it: neither
    brought along nor imported nor a builtin's, unless the module has its own in the builtin's place."""
    needed = own.needs.union(*(one.needs for one in brought))
    carried = own.binds.union(*(one.binds for one in brought))
    absent = names.missing([own, *brought]) - module.imported
    return sorted(absent | (needed & module.defined) - carried)
