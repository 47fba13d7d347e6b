"""Shapes of what only a module can make: objects of its classes, functions, other packages' types (`mpt.types.known`).

A class is called with what its `__init__` or its fields want; an enum's members are its choices.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from contextlib import suppress

from mpt.inputs.annotations import Missing, Names, NoShape, shape_of
from mpt.inputs.fields import Field, arguments_of, constrained, last, literal_of, named_tuple
from mpt.inputs.guesses import from_name
from mpt.inputs.observed import accepts, generous, of_values, union
from mpt.types.known import FUNCTIONS, ITERATORS, Known, NotInstalled, texts
from mpt.values import Shape, Value

_INT, _STR, _FLOAT = Shape("int"), Shape("str"), Shape("float")

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


def guessed(name: str, source: str, known: Known) -> Shape:
    """For a parameter of which nothing is known but its name and how the body uses it."""
    if name == "G":
        with suppress(NotInstalled):
            return known.of_name("Graph") or WIDE
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
_ENUMS = ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag")


class Made:
    """What the module of the text `text` can make, by the type's name."""

    def __init__(self, text: str, known: Known) -> None:
        self.known = known
        self._text = text
        self._classes: dict[str, ast.ClassDef] = {}
        self._depth = 0
        try:
            self._collect(ast.parse(text).body, "")
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return

    def of_name(self, name: str) -> Shape | None:
        """An object of the module's class or another package's; None where neither is known. Raises Missing."""
        if name in self._classes:
            return self._object(name)
        try:
            return self.known.of_name(name, self._text)
        except NotInstalled as missing:
            raise Missing(name, missing.package) from None

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
            elif (tupled := named_tuple(node)) is not None:
                self._classes[within + tupled.name] = tupled

    def _object(self, name: str) -> Shape:
        node = self._classes[name]
        bases = list(self._with_bases(node))
        if any(last(base) in _ENUMS for one in bases for base in one.bases):
            members = [last(m.targets[0]) for m in node.body if isinstance(m, ast.Assign)]
            return texts(*(f"{name}.{member}" for member in members if member)) if any(members) else texts(name)
        self._depth += 1
        declared = [(one, self._argument(one, node)) for one in arguments_of(bases)]
        self._depth -= 1
        needed = [(one.name, shape) for one, shape in declared if one.needed]
        optional = [(one.name, shape) for one, shape in declared if not one.needed][:MAX_OPTIONAL]
        return union([_call(name, needed), _call(name, [*needed, *optional])])

    def _argument(self, field: Field, node: ast.ClassDef) -> Shape:
        names = Names(made=self.of_name if self._depth <= _DEPTH else lambda name: None)
        known: Shape | None = None
        if field.annotation is not None:
            with suppress(NoShape):
                known = shape_of(field.annotation, names)
        seen = literal_of(field.default)
        if known is None and seen and seen != [None]:
            known = of_values(seen)
        if known is None:
            known = from_name(field.name) or guessed(field.name, ast.unparse(node), self.known)
        known = constrained(generous(known), field)
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
