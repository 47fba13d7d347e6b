"""Shapes of what only a module can make: objects of its classes, functions, other packages' types (`mpt.types.known`).

A class is called with what its `__init__` or its fields want; an enum's members are its choices.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from contextlib import suppress

from mpt.inputs.annotations import Missing, Names, NoShape, shape_of
from mpt.inputs.fields import Field, arguments_of, constrained, last, literal_of, named_tuple
from mpt.inputs.grown import grown
from mpt.inputs.guesses import from_name
from mpt.inputs.literals import Unreadable, parse_expression
from mpt.inputs.observed import accepts, generous, of_values, union
from mpt.inputs.shown import objects_shown
from mpt.inputs.uses import Uses, types_with
from mpt.source.names import parsed
from mpt.types.known import FUNCTIONS, ITERATORS, Known, NotInstalled, called, literals, texts
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
_BY_NAME: dict[str, str] = {
    **dict.fromkeys(("dt", "datetime", "now", "when"), "datetime"),
    "date": "date",
    **dict.fromkeys(("td", "delta", "timedelta"), "timedelta"),
    **dict.fromkeys(("tz", "tzinfo", "timezone"), "tzinfo"),
    **dict.fromkeys(("sock", "socket"), "socket"),
    **dict.fromkeys(("fileobj", "file_obj", "fp", "fh", "stream", "infile", "outfile"), "IO"),
    **dict.fromkeys(("exc", "exception", "err", "error"), "Exception"),
    **dict.fromkeys(("df", "dataframe"), "DataFrame"),
    "series": "Series",
    "logger": "Logger",
    **dict.fromkeys(("regex", "regexp"), "Pattern"),
    **dict.fromkeys(("cls", "klass"), "type"),
    **dict.fromkeys(("rng", "random_state"), "Random"),
    **dict.fromkeys(("G", "graph"), "Graph"),
}
"""The type that parameters of that name nearly always have, where nothing else tells."""
_TEXTS: dict[str, Shape] = {
    **dict.fromkeys(
        ("path", "filepath", "file_path", "filename", "pathname"),
        literals("a/b.txt", "/", "", "x.tar.gz", "/usr/lib/../bin/", ".hidden"),
    ),
    "encoding": literals("utf-8", "ascii", "latin-1"),
    **dict.fromkeys(("sep", "separator", "delimiter"), literals(",", " ", "-", "", "; ")),
}
"""Texts of a kind that chance does not hit upon, by the parameter's name."""
_BUILTINS: tuple[tuple[type, Shape], ...] = (
    (list, Shape("list", (_INT,))),
    (str, _STR),
    (dict, Shape("dict", (_STR, _INT))),
    (set, Shape("set", (_INT,))),
    (bytes, Shape("bytes")),
    (tuple, Shape("tuple", (_INT,), low=0)),
    (float, _FLOAT),
    (int, _INT),
)
_CALLED = frozenset(
    ("func", "fn", "f", "function", "key", "pred", "predicate", "callback", "callable", "transform", "reducer")
)
_ITERATED = frozenset(("iterable", "iterables", "seq", "sequence", "it", "coll", "collection"))


def guessed(name: str, source: str) -> Shape:
    """For a parameter of which nothing is known but its name and how the body uses it."""
    if name in _CALLED or _is_called(name, source):
        return FUNCTIONS
    if name in _ITERATED:
        return Shape("union", (Shape("list", (_INT,)), Shape("list", (_STR,)), _STR, ITERATORS))
    return WIDE


def _is_called(name: str, source: str) -> bool:
    for node in ast.walk(parsed(source)):
        match node:
            case ast.Call(func=ast.Name(id=used)) if used == name:
                return True
            case ast.Call(func=ast.Name(id="callable"), args=[ast.Name(id=used)]) if used == name:
                return True
    return False


# --- the module's own classes ---------------------------------------------------------------------

MAX_ALIKE = 3
"""So many classes are tried where several will do."""
MAX_OPTIONAL = 3
"""So many arguments with a default are passed too."""
_DEPTH = 2
"""An object may be made of objects that are made of others, and no deeper."""
_ENUMS = ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag")


class Made:
    """What the module of the text `text` can make, by the type's name. imported: can it be asked while it runs?"""

    def __init__(self, text: str, known: Known, imported: bool = False) -> None:
        self.known = known
        self._imported = imported
        self._brought: set[str] = set()
        self._text = text
        self._classes: dict[str, ast.ClassDef] = {}
        self._depth = 0
        self._collect(parsed(text).body, "")

    def of_name(self, name: str) -> Shape | None:
        """An object of the module's class, of another package's or of what it imports; None for what it lacks.

        Whether an imported name is a class shows when it runs, so what anything may be is among the choices.
        Raises Missing.
        """
        if name in self._classes:
            return self._object(name)
        try:
            known = self.known.of_name(name, self._text)
        except NotInstalled as missing:
            raise Missing(name, missing.package) from None
        head, _, own = name.rpartition(".")
        if known is None and self._imported and own[:1].isupper() and (head or name).partition(".")[0] in self._brought:
            return Shape("union", (an_object(name), WIDE))
        return known

    def _of_package(self, name: str) -> Shape | None:
        with suppress(NotInstalled):
            return self.known.of_name(name, self._text)
        return None

    def by_name(self, name: str) -> Shape | None:
        """What a parameter's name says it is: one of the standard library's types, a class (`old_node`: Node)."""
        if name in _TEXTS:
            return _TEXTS[name]
        if name in _BY_NAME:
            return self._of_package(_BY_NAME[name])
        words = name.lower().strip("_").split("_")
        for end in ("".join(words[at:]) for at in range(len(words))):
            known = [own for own in (*self._classes, *sorted(self._brought)) if own.lower() == end and own != end]
            if known:
                return self.of_name(known[0])
        return None

    def by_use(self, uses: Uses) -> Shape | None:
        """Objects with all the attributes that the body wants and no builtin type has; None where it wants none."""
        wanted = uses.foreign
        if not wanted:
            return None
        own = [name for name, node in self._classes.items() if wanted <= self._attributes(node)]
        known = [shape for name in types_with(wanted) if (shape := self._of_package(name))]
        if self._imported:
            asked = called("with_attributes", literals(" ".join(sorted(wanted))), *_POOL)
            others = [*known, *map(self._object, own[:MAX_ALIKE])] or [FUNCTIONS if uses.called else WIDE]
            return Shape("union", (asked, *others))
        known += map(self._object, own[:MAX_ALIKE])
        return union(known) if known else None

    def by_methods(self, uses: Uses) -> Shape | None:
        """The builtin types that have all the attributes the body wants; None where it wants none."""
        fitting = [shape for kind, shape in _BUILTINS if uses.attributes <= frozenset(dir(kind))]
        return union(fitting) if uses.attributes and fitting else None

    def checked(self, uses: Uses) -> Shape | None:
        """Of the types that the body checks for with `isinstance`, those that can be made."""
        found = []
        for text in uses.checked:
            with suppress(NoShape, Unreadable):
                found.append(shape_of(parse_expression(text), Names(made=self.of_name)))
        return union(found) if found else None

    def receiver(self, name: str, method: str, shown: Sequence[Value]) -> Shape:
        """The object that a method of the class is called on; `shown`: those that the docstring calls it on.

        Of classes that derive from it too, where they have no such method of their own.
        """
        values = tuple(dict.fromkeys((*shown, *self._constructed(name))))
        choices = [Shape("literal", samples=values)] if values else []
        node = self._classes.get(name)
        if node is None:
            choices.append(Shape("call", call=name))
        else:
            below = [one for one, it in self._classes.items() if it is not node and node in list(self._with_bases(it))]
            below = [one for one in below if method not in _members(self._classes[one])][:MAX_ALIKE]
            names = below if below and _is_abstract(node) else [name, *below]
            made = [self._object(one) for one in names]
            choices += made
            if self._imported:
                choices += self._grown(union(made), node, method)
        if self._imported and not (node and self._is_known(node) and not any(map(is_wide, choices))):
            choices.append(an_object(name))
        return union(choices)

    def _grown(self, whole: Shape, node: ast.ClassDef, method: str) -> list[Shape]:
        self._depth += 1
        found = list(grown(whole, list(self._with_bases(node)), method, self._argument))
        self._depth -= 1
        return found

    def _is_known(self, node: ast.ClassDef) -> bool:
        """Can be read here how it is made: it is not abstract, and derives from nothing that another module defines."""
        bases = [base for one in self._with_bases(node) for base in one.bases]
        return not _is_abstract(node) and all(
            last(base) in _PLAIN_BASES or ast.unparse(base) in self._classes for base in bases
        )

    def _constructed(self, name: str) -> tuple[Value, ...]:
        """Calls of the class that its docstring and those of its methods show, as Python text."""
        node = self._classes.get(name)
        if node is None or not self._imported:
            return ()
        documented = (one for one in ast.walk(node) if isinstance(one, ast.ClassDef | ast.FunctionDef))
        docstrings = (ast.get_docstring(one) or "" for one in documented)
        return objects_shown(docstrings, name.rpartition(".")[2], self._text)

    def _attributes(self, node: ast.ClassDef) -> frozenset[str]:
        """Everything that its objects have: members, what methods assign to, the same of its bases."""
        return frozenset().union(*(_members(base) | _assigned(base) for base in self._with_bases(node)))

    def _collect(self, body: Sequence[ast.stmt], within: str) -> None:
        for node in body:
            if isinstance(node, ast.ClassDef):
                self._classes[within + node.name] = node
                self._collect(node.body, within + node.name + ".")
            elif isinstance(node, ast.If | ast.Try):
                self._collect([*node.body, *node.orelse], within)
            elif isinstance(node, ast.Import):
                self._brought.update(alias.asname or alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                self._brought.update(alias.asname or alias.name for alias in node.names)
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
            known = self.by_name(field.name) if self._depth <= _DEPTH else None
            known = known or from_name(field.name) or guessed(field.name, ast.unparse(node))
        known = constrained(generous(known), field)
        return union([known, of_values(seen)]) if seen and not accepts(known, seen[0]) else known

    def _with_bases(self, node: ast.ClassDef) -> Iterator[ast.ClassDef]:
        """The class, and those of the module that it derives from."""
        yield node
        for base in node.bases:
            above = self._classes.get(ast.unparse(base))
            if above is not None and above is not node:
                yield from self._with_bases(above)


def an_object(name: str) -> Shape:
    """An object of the class of that name, made where its module runs (see `mpt.worker.likely`)."""
    return called("an_object", literals(name), *_POOL)


_POOL = (
    *(Shape("int", low=-20, high=100), Shape("int", low=-20, high=100), _STR),
    *(Shape("list", (Shape("union", (_INT, _STR)),), low=0, high=4), Shape("bool"), Shape("int", low=0, high=11)),
)
"""What such an object may be made of."""


_PLAIN_BASES = (*_ENUMS, "object", "ABC", "Generic", "Protocol", "NamedTuple", "Exception", "BaseModel")


def is_wide(shape: Shape) -> bool:
    """Is of something that it is made of nothing known?"""
    return shape == WIDE or shape.call in ("an_object", "with_attributes") or any(map(is_wide, shape.items))


def _members(node: ast.ClassDef) -> frozenset[str]:
    """What its body defines."""
    found: set[str] = set()
    for member in node.body:
        if isinstance(member, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(member.name)
        elif isinstance(member, ast.Assign | ast.AnnAssign):
            targets = member.targets if isinstance(member, ast.Assign) else [member.target]
            found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return frozenset(found)


def _assigned(node: ast.ClassDef) -> frozenset[str]:
    """Attributes of `self` that its methods assign to."""
    stores = (one for one in ast.walk(node) if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store))
    return frozenset(one.attr for one in stores if isinstance(one.value, ast.Name) and one.value.id == "self")


def _is_abstract(node: ast.ClassDef) -> bool:
    """Has it a method that is decorated so, or that does nothing but raise NotImplementedError?"""
    for member in node.body:
        if isinstance(member, ast.FunctionDef):
            if any(last(one).startswith("abstract") for one in member.decorator_list):
                return True
            if isinstance(member.body[-1], ast.Raise) and "NotImplementedError" in ast.unparse(member.body[-1]):
                return True
    return False


def _call(name: str, arguments: Sequence[tuple[str, Shape]]) -> Shape:
    return Shape("call", tuple(shape for _, shape in arguments), call=name, names=tuple(how for how, _ in arguments))
