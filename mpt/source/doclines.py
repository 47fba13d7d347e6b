"""What the lines of a docstring are: the start of an example, a heading, a field's name, a rule, a table.

Docstrings are written for people, in many styles and languages; this page holds the styles that are known. Nothing
here says what an example *means*: that is `mpt.inputs`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from typing import Literal

from mpt.source.names import parse

Lines = Sequence[str]
Heading = Literal["examples", "section", "ruled"]

# --- examples -------------------------------------------------------------------------------------


def example_end(lines: Lines, row: int, *, in_examples: bool) -> int:
    """The row past the example that begins at `row`; `row` itself where none does.

    in_examples: a heading such as "Examples:" stands above, so that less is needed to look like one.
    """
    line = lines[row].strip()
    if line.startswith(">>>"):
        return _until(lines, row + 1, lambda below: not below or below.startswith(">>>"))
    if line.startswith("```"):
        return min(_until(lines, row + 1, lambda below: below.startswith("```")) + 1, len(lines))
    if _INPUT.match(line):
        return _labelled_end(lines, row)
    end = _call_end(lines, row, in_examples)
    if end == row and (_GIVEN.match(line) or (in_examples and _is_loose_code(line))):
        end = row + 1
    return _continued(lines, end) if end > row else row


_LEAD = re.compile(r"\A(?:[-*•+][ \t]+|\(?\d+[.)][ \t]+|`+|for[ \t]+|assert[ \t]+)*", re.IGNORECASE)
"""What may stand before a call on its line."""
_PHRASE = re.compile(
    r"\A(?:(?:for[ \t]+)?examples?[ \t]*[:,]|e\.g\.|例如|例えば|示例|例|z\.[ \t]?b\.|zum beispiel)"
    r"[:：,，、]?[ \t]*",
    re.IGNORECASE,
)
"""The same within a sentence."""
_CALL = re.compile(r"[^\W\d][\w.]*\s?(?=\()")
_SAYS = re.compile(
    r"`*\s*(?:#\s*)?(?:[-=]*>|={1,3}|[➞→⇒⟶➜↦:：]|#|returns?\b|(?:should|must|will|would)\b|gives?\b|yields?\b|is\b"
    r"|equals?\b|evaluates\b|produces?\b|outputs?\b|raises?\b|gibt\b|ergibt\b|liefert\b|返回|输出|得到|应|結果|结果|を返|は|を)"
)
"""What joins a call to its answer."""
_WORD_VALUE = r"(?:True|False|None|true|false|null)\b"
_NUMBER = r"[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w])"
_BARE = re.compile(rf"{_WORD_VALUE}|{_NUMBER}|(?P<open>[\[({{])|(?P<quote>[\"'])")
_GIVEN = re.compile(r"(?:[-*•]\s+)?for\s+\w+\s*=\s*(?=[\[({\"'\d-])", re.IGNORECASE)
_INPUT = re.compile(r"(?:[-*•]\s+)?inputs?\s*[:：]", re.IGNORECASE)
_LABEL = re.compile(r"(?:[-*•]\s+)?(outputs?|results?|returns?|expected|explanation)\s*[:：]", re.IGNORECASE)
_BINDING = re.compile(r"\w+\s*[=:]\s*")


def _call_end(lines: Lines, row: int, in_examples: bool) -> int:
    """A call with its answer on one line, or over the lines its brackets span."""
    text = "".join(lines[row : row + 30])
    bare = text.lstrip(" \t")
    phrase = _PHRASE.match(bare)
    start = len(text) - len(_past_lead(bare[phrase.end() :] if phrase else bare))
    call = _CALL.match(text, start)
    close = closing(text, call.end()) if call else None
    if call is None or close is None:
        return row
    shown = _shows(text[call.end() : close], text[close:].partition("\n")[0], in_examples and not phrase, bool(phrase))
    return row + text.count("\n", 0, close) + 1 if shown else row


def _shows(arguments: str, answer: str, in_examples: bool, in_sentence: bool) -> bool:
    """Is a call with these arguments and what stands after it an example, and not a definition or prose?"""
    says = _SAYS.match(answer)
    told = _is_value(answer[says.end() :].strip().strip("`.。 ")) if says else False
    if in_sentence or not _all_literal(arguments):
        return told and (in_examples or in_sentence or not _says_is(says))
    return says is not None or (in_examples and not answer.strip())


def _past_lead(text: str) -> str:
    return _LEAD.sub("", text, count=1)


def _says_is(says: re.Match[str] | None) -> bool:
    """`f(n) = 1` may be the definition of f, `f(n) => 1` is not."""
    return says is None or says[0].strip("`# ") in ("=", "is", ":", "：")


def closing(text: str, opening: int) -> int | None:
    """The offset past the bracket that closes the one at `opening`; brackets in quotes do not count."""
    depth, quote = 0, ""
    for at in range(opening, len(text)):
        char = text[at]
        if quote:
            if char == quote and text[at - 1] != "\\":
                quote = ""
        elif char in "\"'":
            quote = char
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
            if depth == 0:
                return at + 1
    return None


def _all_literal(arguments: str) -> bool:
    """Are a call's arguments, brackets included, values and not names?"""
    call = _expression("f" + arguments)
    return isinstance(call, ast.Call) and not any(
        isinstance(node, ast.Name) and node is not call.func for node in ast.walk(call)
    )


def _expression(text: str) -> ast.expr | None:
    """What a text over one or more lines says in Python, where it is one expression."""
    body = _statements(" ".join(text.split()))
    return body[0].value if len(body) == 1 and isinstance(body[0], ast.Expr) else None


def _statements(code: str) -> list[ast.stmt]:
    try:
        return parse(code).body
    except SyntaxError:
        return []


def _value_end(text: str, at: int) -> int | None:
    """The offset past the literal that begins at `at`."""
    match = _BARE.match(text, at)
    if match is None:
        return None
    if match["open"]:
        end = closing(text, at)
        return end if end is not None and _is_value(text[at:end]) else None
    if match["quote"]:
        end = text.find(match["quote"], at + 1)
        return end + 1 if end > at else None
    return match.end()


def _is_value(text: str) -> bool:
    value = _expression(text)
    if value is None:
        return False
    try:
        ast.literal_eval(value)
    except (ValueError, TypeError, RecursionError):
        return isinstance(value, ast.Name) and value.id in ("true", "false", "null")
    return True


def _is_loose_code(line: str) -> bool:
    """Below a heading "Example": a binding, a computation, a returned value; no prose."""
    bare = _past_lead(line)
    returned = re.match(r"returns?\s*=?\s*", bare)
    if returned and _value_end(bare, returned.end()) is not None:
        return True
    body = _statements(bare) or _statements(bare.replace(" = ", " == "))  # 30 = 2 * 3 * 5
    return any(not _is_a_word(node) for node in body)


def _is_a_word(node: ast.stmt) -> bool:
    """Also `min, max` and `x: int`, which are prose or a field as well."""
    if isinstance(node, ast.AnnAssign):
        return node.value is None
    names = (ast.Expr, ast.Name, ast.Attribute, ast.Tuple, ast.Load, ast.Pass)
    return all(isinstance(inner, names) for inner in ast.walk(node))


# --- more of the same example ---------------------------------------------------------------------


def _continued(lines: Lines, row: int) -> int:
    """Past the lines that go on about the example above: its answer's steps, a comment, an explanation."""
    while row < len(lines):
        line = lines[row].strip()
        if re.match(r"#|[-=]*>|==?\s|[➞→⇒]", line):
            row += 1
        elif _LABEL.match(line):
            row = _label_end(lines, row)
        else:
            break
    return row


def _labelled_end(lines: Lines, row: int) -> int:
    """`Input: …`, then `Output: …` and `Explanation: …`, perhaps after a blank line; only with a value for input."""
    end = _label_end(lines, row)
    shown = " ".join(line.strip() for line in lines[row:end])
    start = _INPUT.match(shown).end()  # type: ignore[union-attr]  # the caller saw it match
    start += len(shown[start:]) - len(shown[start:].lstrip())
    binding = _BINDING.match(shown, start)
    if _value_end(shown, binding.end() if binding else start) is None:
        return row
    while (below := _until(lines, end, bool)) < len(lines) and _LABEL.match(lines[below].strip()):
        end = _label_end(lines, below)
    return end


def _label_end(lines: Lines, row: int) -> int:
    """Past a label and what belongs to it: deeper lines; lines as deep as the label where nothing stands beside it."""
    depth = indent(lines[row])
    alone = lines[row].strip()[-1] in ":："
    row += 1
    while row < len(lines) and lines[row].strip():
        deeper = indent(lines[row]) > depth or (alone and indent(lines[row]) == depth)
        if not deeper or (_LABEL.match(lines[row].strip()) and indent(lines[row]) <= depth):
            break
        row += 1
    return row


def _until(lines: Lines, row: int, stop: Callable[[str], object]) -> int:
    return _until_row(lines, row, lambda line: stop(line.strip()))


def _until_row(lines: Lines, row: int, stop: Callable[[str], object]) -> int:
    while row < len(lines) and not stop(lines[row]):
        row += 1
    return row


def indent(line: str) -> int:
    return len(line) - len(line.lstrip())


# --- headings, fields, rules, tables --------------------------------------------------------------

# fmt: off
_EXAMPLES = frozenset({
    "example", "examples", "for example", "for examples", "for examble", "sample", "samples",
    "usage", "input/output samples", "test cases", "doctest", "doctests", "e.g", "示例", "例子", "例",
    "例如", "样例", "用例", "範例", "使用例", "例えば", "beispiel", "beispiele", "zum beispiel", "z.b",
})
_SECTIONS = frozenset({
    "args", "arguments", "parameters", "params", "other parameters", "keyword args",
    "keyword arguments", "return", "returns", "yield", "yields", "raises", "exceptions",
    "attributes", "note", "notes", "warning", "warnings", "see also", "references", "todo",
    "constraints", "constrain", "restrictions", "variables", "input", "output", "inputs", "outputs",
    "task", "explanation", "hint", "hints", "参数", "参数说明", "返回", "返回值", "注意", "说明", "约束", "引数",
    "戻り値", "注", "注意事項", "parameter", "argumente", "rückgabe", "rückgabewert", "hinweis", "hinweise",
    "ausnahmen",
})
# fmt: on
_FIELD = re.compile(r"(?:[@:]\w+(?:[ \t]+[^:\s]+)*[ \t]*:|\*{0,2}\w+[ \t]*(?:\([^)]*\))?[ \t]*:)(?=\s)[ \t]*")
"""`:param x:`, `@number :`, `x (int):`, `**options:`."""


def heading(lines: Lines, row: int) -> Heading | None:
    """What a line heads; with its colon, number, brackets and stars or without. `ruled` is NumPy's way: underlined."""
    bare = re.sub(r"[\[\]*#`]", "", lines[row]).strip()
    words = re.sub(r"[\s\d.]*[:：]*$", "", bare.casefold())
    if words in _EXAMPLES:
        return "examples"
    if words not in _SECTIONS:
        return None
    return "ruled" if row + 1 < len(lines) and re.fullmatch(r"\s*[-=~]{3,}\s*", lines[row + 1]) else "section"


def field_end(line: str, *, in_section: bool) -> int:
    """How much of a line names a field, its white space included; 0 where none.

    in_section: a heading such as "Args:" stands above; without, only Sphinx's and epydoc's marks are a field.
    """
    start = indent(line)
    match = _FIELD.match(line, start)
    if match is None or not (in_section or line[start] in "@:"):
        return 0
    return match.end()


def is_kept(lines: Lines, row: int, under: Heading | None) -> bool:
    """A rule ("-----"), the row of a table, a bound ("* 1 <= n <= 10"), a name with its type above what is said of it:
    it would not survive rewording."""
    bare = lines[row].strip()
    if not any(map(str.isalnum, bare)) or re.search(r"\S\s{4,}\S|\S\s+\|\s", bare):
        return True
    if under == "ruled" and row + 1 < len(lines) and lines[row + 1].strip():
        return indent(lines[row + 1]) > indent(lines[row])
    return isinstance(_expression(_past_lead(bare)), ast.Compare)


def block_end(lines: Lines, row: int) -> int:
    """The row past the literal block that a line ending in "::" announces; the row below it where it announces none."""
    if not lines[row].rstrip().endswith("::"):
        return row + 1
    below = [indent(line) for line in lines[row + 1 :] if line.strip() or line is lines[-1]]
    depth = indent(lines[row]) if row else min(below, default=0)  # beside the quotes a line has no indentation
    return _until_row(lines, row + 1, lambda line: bool(line.strip()) and indent(line) <= depth)
