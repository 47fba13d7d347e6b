"""The calls a docstring shows: its examples as values, read and never evaluated.

Three ways of writing them are understood:

    >>> add(1, 2)                         doctest, also over several lines, with a traceback, with `== value`
    add(1, 2) == 3    add(1, 2) ➞ 3       a call in prose and what is said to come back
    Input: x = 1, y = 2   Output: 3       the arguments by themselves ("For x = 1, y = 2 the result should be 3")

What cannot be read is left out; an expected value that cannot be read, or is contradicted, is left open (None).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mpt.inputs.doctests import Doctest, answer, doctests, read_or_none
from mpt.inputs.literals import Unreadable, closing, literal_at, literal_end, parse_expression, read
from mpt.inputs.observed import kind_of
from mpt.inputs.shown import calls_shown
from mpt.inputs.signature import Signature, signature_of
from mpt.inputs.trail import iterated
from mpt.spelling import value_of
from mpt.values import Arguments, Example, Place, Prompt, Value
from mpt.worker import codec

MAX_SHOWN = 30
"""Examples of one function at most, where some are read by its module."""


@dataclass(frozen=True, slots=True)
class _Reader:
    """What is known while one docstring is read. `bare`: a bare word is read as a string."""

    name: str
    signature: Signature
    text: str
    bare: bool = False


@dataclass(frozen=True, slots=True)
class _Found:
    at: int
    example: Example


def examples_of(prompt: Prompt, place: Place | None = None, source: str = "") -> tuple[Example, ...]:
    """The prompt's examples in the docstring's order, each input once.

    place: of a function in its module; then examples count whose arguments only the module can read. source: its text;
    of one that prints, what stands below such a call may be what it prints, so that is no answer.
    """
    if place is None:
        return _literal_examples(prompt)
    literal = _literal_examples(prompt) if place.kind == "function" else ()
    known = {example.arguments for example in literal}
    shown = (one for one in _shown_examples(prompt, place, _prints(source)) if one.arguments not in known)
    return (*literal, *_distinct(list(shown)))[:MAX_SHOWN]


def _prints(source: str) -> bool:
    return re.search(r"\bprint\s*\(|\.write\s*\(", source) is not None


def _shown_examples(prompt: Prompt, place: Place, prints: bool) -> Iterator[Example]:
    signature = signature_of(prompt)
    if signature is None:
        return
    reader = _Reader(prompt.entry_point, signature, _docstring(prompt))
    tests = list(doctests(reader.text))
    calls = calls_shown([test.source for test in tests], prompt.entry_point, place)
    for test, shown in zip(tests, calls, strict=True):
        expected, raises = answer(test)
        for one in shown:
            fits = signature.accepts(len(one.arguments.positional), {name for name, _ in one.arguments.keyword})
            if one.answered and fits and not prints:
                yield Example(one.arguments, expected, raises, one.iterated)
            else:
                yield Example(one.arguments)


def seeds_of(examples: Sequence[Example]) -> tuple[Arguments, ...]:
    """The examples' inputs, each once: what fuzzing starts from."""
    return tuple(dict.fromkeys(example.arguments for example in examples))


def _literal_examples(prompt: Prompt) -> tuple[Example, ...]:
    signature = signature_of(prompt)
    if signature is None:
        return ()
    reader = _Reader(prompt.entry_point, signature, _docstring(prompt))
    tests = list(doctests(reader.text))
    prose = _blanked(reader.text, [(test.at, test.end) for test in tests if _parses(test.source)])
    found = [example for test in tests for example in _doctest_example(reader, test)]
    found += [*_calls(reader, prose), *_stated(reader, prose)]
    found = found or list(_calls(replace(reader, bare=True), prose))
    found = found or list(_calls(_renamed(reader), prose))
    return _distinct(_settled(reader.text, sorted(found, key=lambda one: one.at)))


def _docstring(prompt: Prompt) -> str:
    """The docstring as its author meant it: source text, but a doubled backslash is one (unless it is a raw string)."""
    text = "".join(segment.text for segment in prompt.segments).strip()
    literal = re.fullmatch(
        r"""(?P<prefix>[a-zA-Z]{0,2})(?P<quotes>\"{3}|'{3}|"|')(?P<body>.*?)(?:(?P=quotes))?""", text, re.DOTALL
    )
    body, raw = (literal["body"], "r" in literal["prefix"].lower()) if literal else (text, False)
    return body if raw else body.replace("\\\\", "\\")


_HEADING = re.compile(r"^[ \t]*Examples?[ \t]*:?[ \t]*$", re.MULTILINE)


def _settled(text: str, found: list[_Found]) -> list[Example]:
    """Under "Examples:" stands what the function answers; another kind of answer further up is left open.

    HumanEval/130 first defines a sequence (`tri(2) = 2`), then shows the function that lists it (`tri(3) = [1, 3, …]`).
    """
    heading = max((match.start() for match in _HEADING.finditer(text)), default=0)
    kinds = {_kind(one.example) for one in found if one.at > heading and one.example.expected}
    return [
        Example(one.example.arguments)
        if one.at < heading and kinds and one.example.expected and _kind(one.example) not in kinds
        else one.example
        for one in found
    ]


def _kind(example: Example) -> str:
    return kind_of(codec.parse(example.expected.wire)) if example.expected else ""


def _distinct(examples: list[Example]) -> tuple[Example, ...]:
    """Each input once; where the docstring says two things of one input, what comes back is left open."""
    kept: dict[Arguments, Example] = {}
    open_ones: set[Arguments] = set()
    for example in examples:
        known = kept.get(example.arguments)
        if known is None or (known.expected is None and known.raises is None):
            kept[example.arguments] = example
        elif _says(example) not in ((None, None), _says(known)):
            open_ones.add(example.arguments)
    return tuple(Example(one.arguments) if one.arguments in open_ones else one for one in kept.values())


def _says(example: Example) -> tuple[Value | None, str | None]:
    return example.expected, example.raises


def _blanked(text: str, spans: list[tuple[int, int]]) -> str:
    for start, end in spans:
        text = text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]
    return text


# --- doctests -------------------------------------------------------------------------------------


def _parses(source: str) -> bool:
    try:
        ast.parse(source.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _doctest_example(reader: _Reader, test: Doctest) -> Iterator[_Found]:
    try:
        node = parse_expression(test.source)
    except Unreadable:
        return
    expected, raises = _wanted(reader, test.want)
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq | ast.Is):
        expected = _read_or_none(node.comparators[0]) if test.want in ("", "True") else None
        node = node.left
    inside = iterated(node)
    if inside is not None and _is_call(inside, reader.name):
        node = inside
    elif not _is_call(node, reader.name):  # round(f(x), 2): the input is one, what f returns is not said
        expected, raises = None, None
        node = next((inner for inner in _inner_calls(node) if _is_call(inner, reader.name)), node)
    arguments = _arguments(reader, node)
    if arguments is not None:
        yield _Found(test.at, Example(arguments, expected, raises, iterated=node is inside))


def _inner_calls(node: ast.expr) -> Iterator[ast.expr]:
    """Calls inside an expression that shows nothing else than their value: no printing, no lambda, no loop."""
    inert = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
    if isinstance(node, inert) or _is_call(node, "print"):
        return
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            yield child
            yield from _inner_calls(child)


def _wanted(reader: _Reader, want: str) -> tuple[Value | None, str | None]:
    """What a doctest says comes back: a value, or the name of an exception."""
    if want.startswith("Traceback (most recent call last)"):
        last = want.splitlines()[-1].strip()
        name = re.match(r"[\w.]+", last)
        return None, name[0].rpartition(".")[2] if name else None
    if not want:  # None prints nothing; but a docstring that never mentions None was rather left unfinished
        says_none = (
            "None" in reader.text or "None" in reader.signature.returns or "Optional" in reader.signature.returns
        )
        return (value_of(None) if says_none else None), None
    whole = read_or_none(want)
    if whole is not None:
        return whole, None
    first = literal_at(want, 0)
    return (value_of(first[0]) if first and re.match(r"\s*(#.*)?(\n|$)", want[first[1] :]) else None), None


# --- calls in prose -------------------------------------------------------------------------------

_ARROW = re.compile(
    r"[ \t]*(?:\#\s*)?(?:={1,3}>|-{1,2}>|={1,3}|[➞→⇒⟶➜↦:]|is\s+equal\s+to\b|equals\b|(?:evaluates|leads)\s+to\b"
    r"|(?:should|must|will|would)\s+(?:return|be|give|produce|output)\b|(?:returns?|gives|yields|produces|outputs|is)\b)"
    r"[ \t]*:?\s*(?:be\b\s*)?"
)


def _calls(reader: _Reader, text: str) -> Iterator[_Found]:
    """`f(literals)` anywhere in the text, with what is said to come back right after it."""
    for match in re.finditer(rf"(?<![\w.]){re.escape(reader.name)}\s?(?=\()", text):
        end = closing(text, match.end())
        if end is None:
            continue
        try:
            arguments = _arguments(reader, parse_expression(text[match.start() : end]))
        except Unreadable:
            continue
        if arguments is not None and not _assigned_or_printed(text, match.start()):
            yield _Found(match.start(), Example(arguments, _said(text, end)))


def _assigned_or_printed(text: str, at: int) -> bool:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return bool(re.search(r"(?:\w\s*=|print\(|[\w)]\s*[-+*/])\s*$", line))


def _said(text: str, end: int) -> Value | None:
    """What stands after a call: an arrow or "returns", then a literal."""
    arrow = _ARROW.match(text, end)
    return _literal_or_sum(text, arrow.end()) if arrow else None


_SUM = re.compile(r"[\d\s()+*/.-]*?[\d)]\s*=+\s*(?=\S)")


def _literal_or_sum(text: str, at: int) -> Value | None:
    """The literal at `at`; of a computation (`19 - 5 - 6 = 8`) its end."""
    line_end = (text + "\n").index("\n", at)
    worked_out = None
    for worked_out in _SUM.finditer(text, at, line_end):
        if worked_out.start() != at:
            break
        at = worked_out.end()
    if worked_out is None and re.match(r"\s*[-+*/]+\s*[\d(]", text[literal_end(text, at) or at : line_end]):
        return None
    found = literal_at(text, at)
    if found is None or (text[at] == "(" and not isinstance(found[0], tuple)):  # ("Venus"): a tuple was meant, perhaps
        return None
    return value_of(found[0])


def _renamed(reader: _Reader) -> _Reader:
    """The docstring may call the function by another name throughout (HumanEval/81): the one its arrows follow."""
    for match in re.finditer(r"^[ \t]*(?:assert\s+|[*-]\s+)?(\w+)(?=\()", reader.text, re.MULTILINE):
        end = closing(reader.text, match.end())
        if end is not None and _ARROW.match(reader.text, end):
            return replace(reader, name=match[1])
    return reader


# --- arguments by themselves ----------------------------------------------------------------------

_GIVEN = re.compile(r"\b(?:[Ff]or|[Ii]f|[Gg]iven|[Ww]hen|[Ww]ith)\s+(?=\w+\s*=[^=])")
_INPUT = re.compile(r"^[ \t]*(?:[*-]\s+)?[Ii]nputs?\b\s*:[ \t]*\n?", re.MULTILINE)
_OUTPUT = re.compile(r"\s*(?:[Oo]utputs?|[Rr]esults?|[Rr]eturns?|[Ee]xpected)\b\s*[:=]?\s*(?:\w+\s*=\s*)?")
_ANSWER = re.compile(
    r"(?:output|result|answer|value|function|it)\s+(?:should|must|will|would)?\s*(?:be|is|return)s?\s*:?\s*"
)
_RETURNS = re.compile(r"(?:should\s+)?returns?\s*:?=?\s*|\bresult\s*=\s*")
_BINDING = re.compile(r"[\s,;]*(?:and\s+)?(\w+)[ \t]*(?:=(?!=)|:|(?=\[))[ \t]*")
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_ASSIGNED = re.compile(r"^[ \t]*(?=\w+(?:[ \t]*=[ \t]*[\[({'\"\d-]|\[))", re.MULTILINE)


def _stated(reader: _Reader, text: str) -> Iterator[_Found]:
    for match in _INPUT.finditer(text):
        yield from _stated_at(reader, text, match.end(), (_OUTPUT,))
    for match in _GIVEN.finditer(text):
        yield from _stated_at(reader, text, match.end(), (_ANSWER, _RETURNS))
    for match in _ASSIGNED.finditer(text):
        yield from _stated_at(reader, text, match.end(), (_RETURNS,))


def _stated_at(reader: _Reader, text: str, at: int, answers: tuple[re.Pattern[str], ...]) -> Iterator[_Found]:
    bound, end = _bindings(text, at)
    if not bound:
        end = at
        bound, end = _unnamed(text, at)
    arguments = _bind(reader.signature, bound)
    if arguments is None:
        return
    rest = text[end : _stretch(text, end)]
    last = [list(pattern.finditer(rest))[-1:] for pattern in answers]
    found = next((matches[0] for matches in last if matches), None)
    if found is not None:
        yield _Found(at, Example(arguments, _literal_or_sum(text, end + found.end())))


def _stretch(text: str, at: int) -> int:
    """How far an answer may be from its input: to the end of the paragraph, or where the next input begins."""
    matches = (pattern.search(text, at) for pattern in (_PARAGRAPH, _INPUT, _GIVEN))
    stops = [match.start() for match in matches if match]
    output = _OUTPUT.match(text, at)
    return max(min([*stops, len(text)]), output.end() if output else 0)


def _bindings(text: str, at: int) -> tuple[list[tuple[str, Any]], int]:
    """`x = 1, y = [2]` (also with colons, on lines of their own), and where they end."""
    bound: list[tuple[str, Any]] = []
    while match := _BINDING.match(text, at):
        if match[1].lower() in ("output", "outputs", "result", "return", "returns", "expected"):
            break
        found = literal_at(text, match.end())
        if found is None:
            break
        bound.append((match[1], found[0]))
        at = found[1]
    return bound, at


def _unnamed(text: str, at: int) -> tuple[list[tuple[str, Any]], int]:
    """`Input: [1, 2], 3`: values alone."""
    bound: list[tuple[str, Any]] = []
    while found := literal_at(text, at + len(re.match(r"[ \t]*", text[at:])[0])):  # type: ignore[index]
        bound.append(("", found[0]))
        at = found[1]
        if text[at : at + 1] != ",":
            break
        at += 1
    return bound, at


def _bind(signature: Signature, bound: list[tuple[str, Any]]) -> Arguments | None:
    """Values by name, or by position where the docstring names them otherwise (HumanEval/115) or not at all."""
    names = [parameter.name for parameter in signature.positional]
    needed = [parameter.name for parameter in signature.positional if parameter.default is None]
    given = [name for name, _ in bound]
    if not bound or (len(set(given)) < len(given) and any(given)):
        return None
    if set(needed) <= set(given) <= set(names):
        by_name = dict(bound)
        values = [by_name[name] for name in names if name in by_name]
    elif len(bound) == len(needed) and (not any(given) or set(given) & set(names)):
        values = [value for _, value in bound]
    else:
        return None
    return Arguments(tuple(map(value_of, values)), origin="example")


# --- the call itself ------------------------------------------------------------------------------


def _is_call(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


def _arguments(reader: _Reader, node: ast.expr) -> Arguments | None:
    """A call's arguments, where all are literals and fit the signature."""
    if not (isinstance(node, ast.Call) and _is_call(node, reader.name)):
        return None
    if any(isinstance(arg, ast.Starred) for arg in node.args) or any(key.arg is None for key in node.keywords):
        return None
    if not reader.signature.accepts(len(node.args), {key.arg for key in node.keywords if key.arg}):
        return None
    try:
        positional = tuple(value_of(_argument(reader, arg)) for arg in node.args)
        keyword = tuple((str(key.arg), value_of(_argument(reader, key.value))) for key in node.keywords)
    except Unreadable:
        return None
    return Arguments(positional, keyword, origin="example")


def _argument(reader: _Reader, node: ast.expr) -> Any:
    """A literal; `true` and its like; `is_happy(aabb)`'s bare word, where no parameter has that name."""
    if isinstance(node, ast.Name):
        if node.id in ("true", "false", "null"):
            return {"true": True, "false": False}.get(node.id)
        if reader.bare and node.id not in {parameter.name for parameter in reader.signature.parameters}:
            return node.id
    return read(node)


def _read_or_none(node: ast.expr) -> Value | None:
    try:
        return value_of(read(node))
    except Unreadable:
        return None
