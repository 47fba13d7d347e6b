"""Shapes of what only a module can make: objects of its classes, functions, other packages' types.

A class is called with what its `__init__` or its fields want; an enum's members are its choices.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from mpt.inputs.annotations import Names, NoShape, shape_of
from mpt.inputs.guesses import from_name
from mpt.inputs.literals import Unreadable, read
from mpt.inputs.observed import accepts, of_values, union
from mpt.spelling import value_of
from mpt.values import Shape, Value
from mpt.worker import codec
from mpt.worker.codec import Source

_INT, _STR, _FLOAT = Shape("int"), Shape("str"), Shape("float")
_NUMBERS = Shape("list", (Shape("float"),), low=1, high=6)


def texts(*sources: str) -> Shape:
    """One of these, each Python text."""
    return Shape("literal", samples=tuple(value_of(Source(text)) for text in sources))


def called(text: str, *items: Shape) -> Shape:
    """What calling that gives, with arguments of these shapes."""
    return Shape("call", items, call=text, names=("",) * len(items))


FUNCTIONS = texts(
    "(lambda *a, **k: a[0] if a else 0)",
    "(lambda *a, **k: bool(a and a[0]))",
    "(lambda *a, **k: len(repr(a)) % 3)",
    "str",
    "(lambda *a, **k: a)",
    "(lambda *a, **k: None)",
    "max",
)
"""Functions that take whatever they are given."""
ITERATORS = called("iter", Shape("list", (_INT,)))
_GRAPHS = "importlib.import_module('networkx')"
_NUMPY, _PANDAS = "importlib.import_module('numpy')", "importlib.import_module('pandas')"
OTHERS: dict[str, Shape] = {
    **dict.fromkeys(("Callable", "FunctionType"), FUNCTIONS),
    **dict.fromkeys(("Iterator", "Generator"), ITERATORS),
    **dict.fromkeys(
        ("ndarray", "NDArray", "ArrayLike"),
        Shape(
            "union",
            (
                called(f"{_NUMPY}.array", _NUMBERS),
                called(f"{_NUMPY}.array", Shape("list", (_INT,), low=1, high=6)),
                texts(f"{_NUMPY}.arange(6).reshape(2, 3)", f"{_NUMPY}.zeros((0,))", f"{_NUMPY}.eye(2)"),
            ),
        ),
    ),
    "DataFrame": texts(
        f"{_PANDAS}.DataFrame({{'a': [1, 2, 3], 'b': [0.5, None, -2.0]}})",
        f"{_PANDAS}.DataFrame({{'a': ['x', 'y', 'x'], 'b': [3, 1, 2]}})",
        f"{_PANDAS}.DataFrame({{'a': []}})",
    ),
    "Series": Shape("union", (called(f"{_PANDAS}.Series", _NUMBERS), texts(f"{_PANDAS}.Series(['a', 'b', None])"))),
    "datetime": texts(
        "datetime.datetime(2024, 2, 29, 12, 30)",
        "datetime.datetime(1999, 12, 31, 23, 59, 59)",
        "datetime.datetime(2024, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc)",
    ),
    "date": texts("datetime.date(2024, 2, 29)", "datetime.date(1999, 12, 31)", "datetime.date(2023, 1, 1)"),
    "time": texts("datetime.time(0, 0)", "datetime.time(23, 59, 59)", "datetime.time(12, 30, 15, 500)"),
    "timedelta": Shape("call", (_INT, _INT), call="datetime.timedelta", names=("days", "seconds")),
    "tzinfo": texts("datetime.timezone.utc", "datetime.timezone(datetime.timedelta(hours=5, minutes=30))"),
    "ZoneInfo": texts("zoneinfo.ZoneInfo('UTC')", "zoneinfo.ZoneInfo('Europe/Berlin')"),
    **dict.fromkeys(
        ("Path", "PurePath", "PathLike", "PosixPath"),
        texts("pathlib.Path('a/b.txt')", "pathlib.Path('/')", "pathlib.Path('.')", "pathlib.Path('x.tar.gz')"),
    ),
    "Pattern": texts(r"re.compile(r'\d+')", "re.compile('a|b')", "re.compile('')"),
    "UUID": texts("uuid.UUID(int=0)", "uuid.UUID('12345678123456781234567812345678')"),
    **dict.fromkeys(("StringIO", "TextIO", "TextIOBase"), called("io.StringIO", _STR)),
    **dict.fromkeys(("BytesIO", "BinaryIO"), called("io.BytesIO", Shape("bytes"))),
    **dict.fromkeys(
        ("IO", "IOBase"), Shape("union", (called("io.StringIO", _STR), called("io.BytesIO", Shape("bytes"))))
    ),
    **dict.fromkeys(("deque", "Deque"), called("collections.deque", Shape("list", (_INT,)))),
    **dict.fromkeys(
        ("Graph", "DiGraph"),
        texts(
            *(f"{_GRAPHS}.path_graph(4)", f"{_GRAPHS}.complete_graph(4)", f"{_GRAPHS}.cycle_graph(5)"),
            *(f"{_GRAPHS}.Graph()", f"{_GRAPHS}.DiGraph([(0, 1), (1, 2), (0, 2)])", f"{_GRAPHS}.star_graph(3)"),
            f"{_GRAPHS}.Graph([(0, 1, {{'weight': 2}}), (1, 2, {{'weight': 1}}), (0, 2, {{'weight': 5}}), (3, 4)])",
        ),
    ),
    "Type": texts("int", "str", "dict", "ValueError"),
    "type": texts("int", "str", "dict", "ValueError"),
    "Exception": texts("ValueError('x')", "KeyError('x')"),
    "BaseException": texts("ValueError('x')", "KeyError('x')"),
    "slice": texts("slice(1, 3)", "slice(None)", "slice(None, None, -1)"),
}
"""Types of other packages, and of the standard library, by the name that annotations give them."""

WIDE = Shape(
    "union",
    (
        _INT,
        Shape("list", (_INT,)),
        _STR,
        Shape("list", (_STR,)),
        _FLOAT,
        Shape("dict", (_STR, _INT)),
        Shape("list", (Shape("tuple", (_INT, _STR)),)),
        Shape("bool"),
        Shape("none"),
        FUNCTIONS,
        ITERATORS,
    ),
)
"""What a parameter of which nothing is known may be: the fuzzer finds out what the function takes."""
_CALLED = frozenset(
    ("func", "fn", "f", "function", "key", "pred", "predicate", "callback", "callable", "transform", "reducer")
)
_ITERATED = frozenset(("iterable", "iterables", "seq", "sequence", "it", "coll", "collection"))


def guessed(name: str, source: str) -> Shape:
    """For a parameter of which nothing is known but its name and how the body uses it."""
    if name == "G":
        return OTHERS["Graph"]
    if name in _CALLED or _is_called(name, source):
        return FUNCTIONS
    if name in _ITERATED:
        return Shape("union", (Shape("list", (_INT,)), Shape("list", (_STR,)), _STR, ITERATORS))
    return WIDE


def _is_called(name: str, source: str) -> bool:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return any(isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == name for n in ast.walk(tree))


# --- the module's own classes ---------------------------------------------------------------------

MAX_OPTIONAL = 3
"""So many arguments with a default are passed too."""
_DEPTH = 2
"""An object may be made of objects that are made of others, and no deeper."""
_BARE = ("Protocol", "ABC", "Generic", "object")
"""Bases that make no `__init__` of what a class annotates."""
_ENUMS = ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag")


class Made:
    """What the module of the text `text` can make, by the type's name."""

    def __init__(self, text: str) -> None:
        self._classes: dict[str, ast.ClassDef] = {}
        self._depth = 0
        try:
            self._collect(ast.parse(text).body, "")
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return

    def of_name(self, name: str) -> Shape | None:
        """An object of the module's class, or of another package's type; None where neither is known."""
        if name in self._classes:
            return self._object(name)
        return OTHERS.get(name)

    def receiver(self, name: str, shown: Sequence[Value]) -> Shape:
        """The object a method of the class is called on; `shown`: those that the docstring calls it on."""
        made = self._object(name) if name in self._classes else Shape("call", call=name)
        return union([*([Shape("literal", samples=tuple(dict.fromkeys(shown)))] if shown else []), made])

    def _collect(self, body: Sequence[ast.stmt], within: str) -> None:
        for node in body:
            if isinstance(node, ast.ClassDef):
                self._classes[within + node.name] = node
                self._collect(node.body, within + node.name + ".")
            elif isinstance(node, ast.If | ast.Try):
                self._collect([*node.body, *node.orelse], within)

    def _object(self, name: str) -> Shape:
        node = self._classes[name]
        bases = list(self._with_bases(node))
        if any(_last(base) in _ENUMS for one in bases for base in one.bases):
            members = [_last(m.targets[0]) for m in node.body if isinstance(m, ast.Assign)]
            return texts(*(f"{name}.{member}" for member in members if member)) if any(members) else texts(name)
        self._depth += 1
        declared = [
            (how, self._argument(arg, default, node), default is None) for how, arg, default in _arguments(bases)
        ]
        self._depth -= 1
        needed = [(how, shape) for how, shape, is_needed in declared if is_needed]
        optional = [(how, shape) for how, shape, is_needed in declared if not is_needed][:MAX_OPTIONAL]
        return union([_call(name, needed), _call(name, [*needed, *optional])])

    def _argument(self, arg: ast.arg, default: ast.expr | None, node: ast.ClassDef) -> Shape:
        names = Names(made=self.of_name if self._depth <= _DEPTH else lambda name: None)
        known: Shape | None = None
        if arg.annotation is not None:
            with suppress(NoShape):
                known = shape_of(arg.annotation, names)
        seen = _literal(default)
        if known is None and seen and seen != [None]:
            known = of_values(seen)
        known = known or from_name(arg.arg) or guessed(arg.arg, ast.unparse(node))
        return union([known, of_values(seen)]) if seen and not accepts(known, seen[0]) else known

    def _with_bases(self, node: ast.ClassDef) -> Iterator[ast.ClassDef]:
        """The class, and those of the module that it derives from."""
        yield node
        for base in node.bases:
            above = self._classes.get(ast.unparse(base))
            if above is not None and above is not node:
                yield from self._with_bases(above)


def _call(name: str, arguments: Sequence[tuple[str, Shape]]) -> Shape:
    return Shape("call", tuple(shape for _, shape in arguments), call=name, names=tuple(how for how, _ in arguments))


def _literal(default: ast.expr | None) -> list[Any]:
    """The tree of a default that can be read, alone in a list."""
    try:
        return [codec.parse(value_of(read(default)).wire)] if default is not None else []
    except Unreadable:
        return []


def _arguments(bases: Sequence[ast.ClassDef]) -> Iterator[tuple[str, ast.arg, ast.expr | None]]:
    """What a class with these bases is called with: how it is passed (empty: by position), its declaration, default."""
    for node in bases:
        methods = {m.name: m for m in node.body if isinstance(m, ast.FunctionDef)}
        maker = methods.get("__init__") or methods.get("__new__")
        if maker is not None:
            yield from _declared(maker.args)
            return
    for node in reversed(bases):
        if node.decorator_list or any(_last(base) not in _BARE for base in node.bases):
            yield from _fields(node)


def _declared(arguments: ast.arguments) -> Iterator[tuple[str, ast.arg, ast.expr | None]]:
    by_position = [*arguments.posonlyargs, *arguments.args]
    defaults: list[ast.expr | None] = [None] * (len(by_position) - len(arguments.defaults))
    for index, (arg, default) in enumerate(zip(by_position, [*defaults, *arguments.defaults], strict=True)):
        if index:
            yield "" if index < len(arguments.posonlyargs) else arg.arg, arg, default
    for arg, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield arg.arg, arg, value


def _fields(node: ast.ClassDef) -> Iterator[tuple[str, ast.arg, ast.expr | None]]:
    """Of a dataclass, an attrs or pydantic class, a NamedTuple."""
    for member in node.body:
        match member:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=value):
                if _last(annotation) != "ClassVar" and not name.startswith("_"):
                    yield name, ast.arg(name, annotation), value


def _last(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Subscript(value=value):
            return _last(value)
    return ""
