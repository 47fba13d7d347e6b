"""Weak evidence about a parameter: a type written in the docstring, what the body does with it, its name."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from mpt.inputs.annotations import Names, NoShape, shape_of
from mpt.inputs.literals import Unreadable, parse_expression
from mpt.inputs.observed import INT, STR
from mpt.source.names import function_named
from mpt.values import Shape

LIST = Shape("list", (INT,))
DICT = Shape("dict", (STR, INT))
WORDS = Shape("list", (STR,))


def _each(words: str, shape: Shape) -> dict[str, Shape]:
    return dict.fromkeys(words.split(), shape)


# --- "Args: x (int): …", ":param int x:", ":type x: int", "x : int" -------------------------------


def from_docstring(text: str, name: str, names: Names) -> Shape | None:
    """The shape of a type that a Google, Sphinx or NumPy section gives the parameter."""
    word = re.escape(name)
    forms = (
        rf"^[ \t]*\*{{0,2}}{word}[ \t]*\((?P<type>[^)\n]+)\)[ \t]*:",
        rf":type[ \t]+{word}[ \t]*:[ \t]*(?P<type>[^\n]+)",
        rf":param[ \t]+(?P<type>[^:\n]+?)[ \t]+{word}[ \t]*:",
        rf"^[ \t]*@?{word}[ \t]+:[ \t]*(?P<type>[^\n]+)",
    )
    for form in forms:
        match = re.search(form, text, re.MULTILINE)
        shape = _of_words(match["type"], names) if match else None
        if shape is not None:
            return shape
    return None


_SPOKEN = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "array": "list",
    "array_like": "ArrayLike",
    "dictionary": "dict",
}


def _of_words(text: str, names: Names) -> Shape | None:
    """`int`, `list of str`, `str, optional`, `array of integers` as an annotation's shape."""
    text = re.sub(r",?\s*(?:optional|default.*)$|\.$", "", text.strip())
    text = re.sub(r"\b(\w+?)s?\b", lambda match: _SPOKEN.get(match[1].lower(), match[0]), text)
    text = re.sub(r"^(list|set|tuple|sequence|iterable) of (\w+?)s?$", r"\1[\2]", text, flags=re.IGNORECASE)
    text = re.sub(r"\bor\b", "|", text)
    try:
        return shape_of(parse_expression(text), names)
    except (Unreadable, NoShape):
        return None


# --- ":param x: the text to cut", "Args: x: a list of …", "x : array_like" and what stands below it ----


def from_prose(text: str, name: str, names: Names) -> Shape | None:
    """The shape of the first kind of value that a section's words on the parameter name."""
    word = re.escape(name)
    forms = (
        rf":param[ \t]+(?:[^:\n]+[ \t]+)?{word}[ \t]*:\s*(?P<said>[^.:]+)",
        rf"^[ \t]*\*{{0,2}}{word}[ \t]*:[ \t]+(?P<said>[^.:\n]+)",
        rf"^[ \t]*\*{{0,2}}{word}[ \t]*(?::[^\n]*|\([^)\n]*\):)?[ \t]*\n[ \t]+(?P<said>[^.:]+)",
    )
    for form in forms:
        match = re.search(form, text, re.MULTILINE)
        found = [(at.start(), kind) for pattern, kind in _SAID if match and (at := re.search(pattern, match["said"]))]
        for _, kind in sorted(found, key=lambda one: one[0]):
            try:
                return shape_of(parse_expression(kind), names)
            except (Unreadable, NoShape):
                continue
    return None


_SAID = (
    (r"(?i)\b(?:lists?|sequences?|iterables?|collections?|arrays?) of (?:strings|words|names|texts)\b", "list[str]"),
    (r"(?i)\b(?:lists?|sequences?|iterables?|collections?) of (?:lists|tuples|pairs)\b", "list[tuple[int, int]]"),
    (r"(?i)\b(?:list|sequence|iterable|collection|array)\b", "list"),
    (r"(?i)\bdatetime\b", "datetime"),
    (r"(?i)\b(?:timedelta|duration)\b", "timedelta"),
    (r"(?i)\bdate\b", "date"),
    (r"(?i)\b(?:string|text|word|sentence)\b", "str"),
    (r"(?i)\b(?:function|callable|callback|predicate)\b", "Callable"),
    (r"(?i)\b(?:dict|dictionary|mapping)\b", "dict"),
    (r"(?i)\b(?:integer|number of|how many|index)\b", "int"),
    (r"(?i)\b(?:number|float)\b", "float"),
    (r"(?i)\b(?:boolean|bool|whether|if true|flag)\b", "bool"),
    (r"(?i)\bfile(?:-like)? ?(?:object|handle)\b", "IO"),
)
"""Words, and the annotation that says the same."""


# --- the body -------------------------------------------------------------------------------------

_METHODS = {
    **_each("split lower upper strip lstrip rstrip replace startswith endswith join swapcase title capitalize", STR),
    **_each(
        "isdigit isalpha isalnum isupper islower isspace find rfind splitlines zfill casefold encode partition", STR
    ),
    **_each("append extend insert sort reverse", LIST),
    **_each("items keys values get setdefault", DICT),
    **_each("add union intersection difference issubset discard", Shape("set", (INT,))),
    "decode": Shape("bytes"),
    "bit_length": INT,
    "is_integer": Shape("float"),
}
_TAKES = {
    **_each("range bin hex oct chr abs divmod isqrt factorial sqrt floor ceil gcd pow", INT),
    **_each("len sum sorted max min enumerate reversed list set tuple zip all any iter map filter", LIST),
    **_each("ord eval literal_eval loads", STR),
}


def from_body(source: str, function: str, name: str) -> Shape | None:
    """The shape that the function's own use of the parameter suggests."""
    body = function_named(function, source)
    if body is None:
        return None
    hints = list(_hints(body, name))
    strong = [shape for shape in hints if shape not in (LIST, INT)]
    if any(shape == STR for shape in _member_hints(body, name)):
        return WORDS if LIST in hints and not strong else STR
    return next(iter([*strong, *hints]), None)


def _hints(body: ast.AST, name: str) -> Iterator[Shape]:
    for node in ast.walk(body):
        match node:
            case ast.Attribute(value=ast.Name(id=used), attr=method) if used == name and method in _METHODS:
                yield _METHODS[method]
            case ast.Call(func=ast.Name(id=taker) | ast.Attribute(attr=taker), args=[*_, ast.Name(id=used)]) if (
                used == name and taker in _TAKES
            ):
                yield _TAKES[taker]
            case ast.BinOp(left=left, right=right) | ast.Compare(left=left, comparators=[right, *_]):
                yield from _beside(left, right, name)
            case ast.Subscript(value=ast.Name(id=used)) | ast.For(iter=ast.Name(id=used)) if used == name:
                yield LIST
            case ast.comprehension(iter=ast.Name(id=used)) if used == name:
                yield LIST


def _beside(left: ast.expr, right: ast.expr, name: str) -> Iterator[Shape]:
    """Computed or compared with a number or a text."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, ast.Name) and one.id == name:
            value = other.value if isinstance(other, ast.Constant) else None
            if isinstance(value, str):
                yield STR
            elif isinstance(value, int | float) and not isinstance(value, bool):
                yield INT


def _member_hints(body: ast.AST, name: str) -> Iterator[Shape]:
    """What is done with the members it is iterated into."""
    for node in ast.walk(body):
        match node:
            case ast.For(target=ast.Name(id=member), iter=ast.Name(id=used)) if used == name:
                yield from _hints(node, member)
            case ast.GeneratorExp() | ast.ListComp() | ast.SetComp() | ast.DictComp():
                for loop in node.generators:
                    if isinstance(loop.iter, ast.Name) and loop.iter.id == name and isinstance(loop.target, ast.Name):
                        yield from _hints(node, loop.target.id)


# --- the name -------------------------------------------------------------------------------------

_NAMES = {
    **_each("s string text word sentence message txt str name title prefix suffix substring pattern char line", STR),
    **_each("n k m num number x y z a b i j count size limit index length total amount year day start end", INT),
    **_each("begin stop first last low high lower upper row col column depth level step month hour minute second", INT),
    **_each("l lst arr array list nums numbers values items xs data seq sequence integers", LIST),
    **_each("strings words names lines texts strs", WORDS),
    **_each("d dct dictionary mapping counts scores", DICT),
    **_each("matrix grid board table", Shape("list", (LIST,))),
    **_each("threshold ratio rate price weight temperature value radius", Shape("float")),
}


def from_name(name: str) -> Shape | None:
    """What parameters of that name usually are."""
    if re.match(r"(?:is|has|use|should)_", name):
        return Shape("bool")
    return _NAMES.get(name.lower()) or _NAMES.get(re.sub(r"\d+$", "", name.lower()))
