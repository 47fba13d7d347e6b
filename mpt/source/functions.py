"""A document's text → its Functions, each with the Prompt it was written from; a Prompt → the same, reworded.

Pure, and it survives whatever does not parse elsewhere in the document. What keeps a function from being judged is
its `obstacle`, never an exception.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from mpt.errors import UsageError
from mpt.source import docstring, names, syntax
from mpt.source.names import Pool, Statement
from mpt.source.syntax import Definition, Text
from mpt.values import Function, Prompt, Segment

MAX_PREAMBLE = 8_000
"""Characters of the module's own definitions that may be sent along because a signature needs them."""


def find_functions(text: str, path: str = "<text>") -> tuple[Function, ...]:
    """Every function and method of a document, nested ones too, in its order. Never raises."""
    document = Text(text)
    module = read_module(document)
    seen: Counter[str] = Counter()
    found = []
    for definition in syntax.definitions(document):
        function = _function(document, module, definition, path)
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


def _function(document: Text, module: Module, definition: Definition, path: str) -> Function:
    name = document.text[definition.name_start : definition.name_end]
    source = _dedented(document, definition)
    try:
        prompt, obstacle = _prompt_and_obstacle(source, name, module, definition)
    except SyntaxError as error:
        line = document.position(definition.start).line + (error.lineno or 1)
        prompt, obstacle = Prompt("", source, (), name), f"it has a syntax error in line {line}: {error.msg}"
    return Function(
        path=path,
        name=".".join((*definition.within, name)),
        ordinal=0,
        prompt=prompt,
        source=source,
        context=module.context,
        span=document.span(definition.start, definition.end),
        name_span=document.span(definition.name_start, definition.name_end),
        obstacle=obstacle,
    )


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


def _prompt_and_obstacle(source: str, name: str, module: Module, definition: Definition) -> tuple[Prompt, str | None]:
    """Raises SyntaxError."""
    body = names.parse(source).body
    if len(body) != 1 or not isinstance(body[0], _FUNCTION):
        raise SyntaxError("invalid syntax")
    text, node = Text(source), body[0]
    prompt = _prompt(text, node)
    obstacle = _obstacle(definition, node, prompt)
    if obstacle is not None:
        return prompt, obstacle
    brought = _brought(text, node, module)
    prompt = replace(prompt, preamble=_preamble(brought, module))
    return prompt, _module_obstacle(prompt, _missing(names.statement(source), brought, module))


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


def _obstacle(definition: Definition, node: _AnyFunction, prompt: Prompt) -> str | None:
    if definition.holder == "class":
        return "it is a method, and methods are not judged yet"
    if definition.holder == "function":
        return "it stands inside another function, and such functions are not judged yet"
    if isinstance(node, ast.AsyncFunctionDef):
        return "it is asynchronous, and such functions are not judged yet"
    if not prompt.segments:
        return "it has no docstring"
    if not prompt.has_description:
        return "its docstring holds no description"
    return None


def _module_obstacle(prompt: Prompt, missing: Sequence[str]) -> str | None:
    if missing:
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        return f"it needs the module's name {missing[0]!r}{more}, which is not judged yet"
    if len(prompt.preamble) > MAX_PREAMBLE:
        return f"its signature needs {len(prompt.preamble)} characters of the module, {MAX_PREAMBLE} may be sent"
    return None


# --- what the module around it provides -----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Module:
    """What stands at the top level of a text.

    context: its import statements, `from __future__` first; futures: those alone, one a feature.
    pool: its imports, one a name, and its definitions, in order. imported, defined: the names these bind.
    """

    context: str
    futures: str
    pool: Pool
    imported: frozenset[str]
    defined: frozenset[str]


def read_module(text: Text) -> Module:
    """Whatever of it can be read."""
    imports: list[str] = []
    futures: list[str] = []
    statements: list[Statement] = []
    imported: set[str] = set()
    defined: set[str] = set()
    for piece in syntax.pieces(text):
        code = text.text[piece.start : piece.end] + "\n"
        try:
            if piece.kind == "definition":
                statements.append(names.statement(code))
                defined |= statements[-1].binds
            elif piece.kind == "import":
                singles = names.imports(code, imported)
                statements.extend(singles)
                imported.update(*(one.binds for one in singles))
                imports.append(code)
            elif piece.kind == "future":
                futures.extend(names.future_imports(code))
        except SyntaxError:
            continue
    context = "".join(futures + imports)
    return Module(context, "".join(futures), Pool(statements), frozenset(imported), frozenset(defined))


def _brought(text: Text, node: _AnyFunction, module: Module) -> tuple[Statement, ...]:
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


def _preamble(brought: Sequence[Statement], module: Module) -> str:
    """Definitions set apart by blank lines, as HumanEval's prompts have them."""
    if not brought:
        return ""
    definitions = [one.code for one in brought if one.binds & module.defined]
    imports = module.futures + "".join(one.code for one in brought if not one.binds & module.defined)
    return "\n\n".join(filter(None, (imports, *definitions))) + "\n\n"


def _missing(own: Statement, brought: Sequence[Statement], module: Module) -> list[str]:
    """Names that the function, or what it brings along, needs from the module and that are not there for it: neither
    brought along nor imported nor a builtin's, unless the module has its own in the builtin's place."""
    needed = own.needs.union(*(one.needs for one in brought))
    carried = own.binds.union(*(one.binds for one in brought))
    absent = names.missing([own, *brought]) - module.imported
    return sorted(absent | (needed & module.defined) - carried)
