"""Annotations as shapes, read with `ast`: nothing is imported, nothing resolved by running it.

Builtins, `typing` and `collections.abc` forms, PEP 585, 604, 613 and 695, Literal, Annotated, TypeVar, NewType, forward
references, and names that the prompt's preamble defines in terms of these.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from mpt.inputs.literals import Unreadable, parse_expression, read
from mpt.inputs.observed import ANY, INT, STR, union
from mpt.source.names import parsed
from mpt.spelling import value_of
from mpt.types.known import called, texts
from mpt.values import Shape

_DEPTH = 3
"""How often a type may contain itself."""


class NoShape(Exception):
    """Why an annotation gives no shape, as the end of a sentence: "is annotated Callable, and …"."""


class Missing(NoShape):
    """The type is known, its package is not installed where the function runs: nothing else will do in its place."""

    def __init__(self, name: str, package: str) -> None:
        super().__init__(f"is annotated {name}, and {package} is not installed in the document's environment")


@dataclass(frozen=True, slots=True)
class Names:
    """What the names in annotations stand for: aliases, type variables, imported under another name.

    made: what else can be made, by the type's name; nothing where a function stands alone.
    """

    defined: dict[str, ast.expr | None] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)
    made: Callable[[str], Shape | None] = lambda name: None


def names_of(
    preamble: str,
    type_parameters: Iterable[tuple[str, ast.expr | None]] = (),
    made: Callable[[str], Shape | None] = lambda name: None,
) -> Names:
    """The definitions in a preamble that annotations may refer to. What does not parse defines nothing."""
    names = Names(made=made)
    text = re.sub(r"^type\s+(\w+)\s*=", r"\1 =", preamble, flags=re.MULTILINE)  # PEP 695, which 3.11 cannot parse
    for node in parsed(text).body:
        _define(names, node)
    names.defined.update(type_parameters)
    return names


def _define(names: Names, node: ast.stmt) -> None:
    match node:
        case ast.If(body=body, orelse=otherwise):  # `if TYPE_CHECKING:`
            for inner in (*body, *otherwise):
                _define(names, inner)
        case ast.ImportFrom(names=imported):
            names.renamed.update({alias.asname: alias.name for alias in imported if alias.asname})
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=func, args=args)) if _last(func) == "TypeVar":
            constraints = args[1:]
            names.defined[name] = _joined(constraints) if constraints else None
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=func, args=[_, base])) if (
            _last(func) == "NewType"
        ):
            names.defined[name] = base
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            if not (isinstance(value, ast.Call) and _last(value.func) in ("namedtuple", "NamedTuple")):
                names.defined[name] = value
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            names.defined[name] = value
        case _ if hasattr(ast, "TypeAlias") and isinstance(node, ast.TypeAlias):
            names.defined[node.name.id] = node.value


def _joined(choices: list[ast.expr]) -> ast.expr:
    return ast.Subscript(ast.Name("Union"), ast.Tuple(choices))


def shape_of(annotation: ast.expr, names: Names, depth: int = _DEPTH) -> Shape:
    """The annotation's shape, without bounds. Raises NoShape."""
    match annotation:
        case ast.Constant(value=None):
            return Shape("none")
        case ast.Constant(value=str(text)):
            return _forward(text, names, depth)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _choice([left, right], names, depth)
        case ast.Subscript(value=value, slice=inside):
            arguments = inside.elts if isinstance(inside, ast.Tuple) else [inside]
            return _generic(_known(value, names), arguments, names, depth)
        case ast.Call(func=func, args=args) if _last(func) in _CALLED:
            base = ast.Name(_CALLED[_last(func)])
            return shape_of(ast.Subscript(base, args[0]) if args else base, names, depth)
        case ast.Name():
            return _plain(_known(annotation, names), names, depth)
        case ast.Attribute():
            return _dotted(annotation, names, depth)
    raise NoShape(f"is annotated {_text(annotation)}, which is no type")


def _forward(text: str, names: Names, depth: int) -> Shape:
    try:
        return shape_of(parse_expression(text), names, depth)
    except Unreadable:
        raise NoShape(f"is annotated {text[:60]!r}, which does not parse") from None


def _last(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def _known(node: ast.expr, names: Names) -> str:
    name = _last(node)
    return names.renamed.get(name, name)


def _text(node: ast.expr) -> str:
    return ast.unparse(ast.fix_missing_locations(node))[:60]


# --- a name by itself -----------------------------------------------------------------------------

_LISTS = ("list", "List", "Sequence", "MutableSequence", "Iterable", "Collection", "Reversible", "Container", "Sized")
_SETS = ("set", "Set", "AbstractSet", "MutableSet")
_DICTS = ("dict", "Dict", "Mapping", "MutableMapping", "DefaultDict", "defaultdict", "OrderedDict", "Counter")
_TUPLES = ("tuple", "Tuple")

_PLAIN: dict[str, Shape] = {
    **{kind: Shape(kind) for kind in ("int", "float", "complex", "bool", "str", "bytes")},
    **{name: Shape("list", (INT,)) for name in _LISTS},
    **{name: Shape("set", (INT,)) for name in _SETS},
    **{name: Shape("dict", (STR, INT)) for name in _DICTS},
    **{name: Shape("tuple", (INT,), low=0) for name in _TUPLES},
    "frozenset": Shape("frozenset", (INT,)),
    "FrozenSet": Shape("frozenset", (INT,)),
    "Any": ANY,
    "object": ANY,
    "Hashable": Shape("union", (INT, STR)),
    "AnyStr": STR,
    "Text": STR,
    "LiteralString": STR,
    "ByteString": Shape("bytes"),
    "StrictInt": INT,
    "PositiveInt": Shape("int", low=1),
    "NonNegativeInt": Shape("int", low=0),
    "NegativeInt": Shape("int", high=-1),
    "NonPositiveInt": Shape("int", high=0),
    **dict.fromkeys(("StrictFloat", "FiniteFloat"), Shape("float")),
    "PositiveFloat": Shape("float", low=0.01),
    "NonNegativeFloat": Shape("float", low=0),
    "NegativeFloat": Shape("float", high=-0.01),
    "NonPositiveFloat": Shape("float", high=0),
    "StrictStr": STR,
    "StrictBool": Shape("bool"),
    "StrictBytes": Shape("bytes"),
    "None": Shape("none"),
    "NoneType": Shape("none"),
    "Integral": INT,
    "SupportsInt": INT,
    "SupportsIndex": INT,
    **dict.fromkeys(
        ("Number", "Real", "Complex", "Rational", "SupportsFloat", "SupportsAbs"), Shape("union", (INT, Shape("float")))
    ),
}
_MADE_OF_DICTS = {
    "Counter": "collections.Counter",
    "OrderedDict": "collections.OrderedDict",
    "defaultdict": "collections.defaultdict",
    "DefaultDict": "collections.defaultdict",
}
_CALLED = {
    "conint": "int",
    "confloat": "float",
    "constr": "str",
    "conbytes": "bytes",
    "conlist": "list",
    "conset": "set",
    "confrozenset": "frozenset",
}
"""pydantic's types that are called with their bounds."""
_WRAPPERS = ("Annotated", "Final", "ClassVar", "Required", "NotRequired", "ReadOnly", "Unpack")


def _plain(name: str, names: Names, depth: int) -> Shape:
    if name in names.defined:
        return _defined(name, names, depth)
    if name in _PLAIN:
        return _dict_of(name, _PLAIN[name])
    made = names.made(name)
    if made is not None:
        return made
    raise NoShape(f"is annotated {name}, and no value of that type can be made")


def _dotted(annotation: ast.Attribute, names: Names, depth: int) -> Shape:
    """`module.Type`: by its last name, where that is known; else the whole may be made."""
    try:
        return _plain(_known(annotation, names), names, depth)
    except NoShape:
        made = names.made(ast.unparse(annotation))
        if made is None:
            raise
        return made


def _defined(name: str, names: Names, depth: int) -> Shape:
    if depth == 0:
        raise NoShape(f"is annotated {name}, which contains itself")
    definition = names.defined[name]
    return shape_of(definition, names, depth - 1) if definition is not None else Shape("union", (INT, STR))


# --- a name with arguments ------------------------------------------------------------------------


def _generic(name: str, arguments: list[ast.expr], names: Names, depth: int) -> Shape:
    if not arguments or (name in _DICTS and name != "Counter" and len(arguments) != 2):
        raise NoShape(f"is annotated {name}[…] with the wrong number of types")
    if name == "Literal":
        return _literal(arguments)
    if name in _WRAPPERS:
        return shape_of(arguments[0], names, depth)
    if name in ("Optional", "Union"):
        return _choice([*arguments, *([ast.Constant(None)] if name == "Optional" else [])], names, depth)
    if name in _TUPLES:
        return _tuple(arguments, names, depth)
    if name in _DICTS:
        value = [ast.Name("int")] if name == "Counter" else []
        key, item = [shape_of(argument, names, depth) for argument in [*arguments, *value]][:2]
        return _dict_of(name, Shape("dict", (key, item)))
    outer, made = _PLAIN.get(name), names.made(name)
    if outer is None and made is not None:
        return made
    if outer is None or not outer.items or outer.kind == "union":
        raise NoShape(f"is annotated {name}[…], and no value of that type can be made")
    return Shape(outer.kind, (shape_of(arguments[0], names, depth),))


def _dict_of(name: str, shape: Shape) -> Shape:
    """The dict itself, or what is made of it."""
    if name not in _MADE_OF_DICTS:
        return shape
    if _MADE_OF_DICTS[name] != "collections.defaultdict":
        return called(_MADE_OF_DICTS[name], shape)
    kind = shape.items[1].kind
    return called("collections.defaultdict", texts(kind if kind in ("list", "set", "dict", "str") else "int"), shape)


def _choice(choices: list[ast.expr], names: Names, depth: int) -> Shape:
    """A union of those that have a shape."""
    shapes, why = [], NoShape("has an empty union")
    for choice in choices:
        try:
            shapes.append(shape_of(choice, names, depth))
        except NoShape as reason:
            why = reason
    if not shapes:
        raise why
    return union(shapes)


def _tuple(arguments: list[ast.expr], names: Names, depth: int) -> Shape:
    match arguments:
        case [ast.Tuple(elts=[])]:
            return Shape("tuple")
        case [item, ast.Constant(value=value)] if value is ...:
            return Shape("tuple", (shape_of(item, names, depth),), low=0)
    return Shape("tuple", tuple(shape_of(argument, names, depth) for argument in arguments))


def _literal(arguments: list[ast.expr]) -> Shape:
    try:
        return Shape("literal", samples=tuple(value_of(read(argument)) for argument in arguments))
    except Unreadable:
        raise NoShape("is annotated Literal of something that is no literal") from None
