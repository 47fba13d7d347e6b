"""What a class written in the document is called with: its `__init__`'s arguments, or the fields of a dataclass, a
named tuple, an attrs or a pydantic class; each with its default and what bounds it. Read with `ast`, nothing is run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mpt.inputs.literals import Unreadable, read
from mpt.inputs.observed import CONTAINERS, TEXTS
from mpt.spelling import value_of
from mpt.values import Shape
from mpt.worker import codec

_BARE = ("Protocol", "ABC", "Generic", "object")
"""Bases that make no `__init__` of what a class annotates."""
_MAKERS = ("field", "Field", "ib", "attrib", "PrivateAttr")
"""What stands where a default does and says more: dataclasses.field, attrs.field, attr.ib, pydantic.Field."""
_DEFAULTS = ("default", "default_factory", "factory")
_PRIVATE = ("ClassVar", "PrivateAttr", "InitVar")


@dataclass(frozen=True, slots=True)
class Field:
    """One argument. name: empty where it is passed by position. limits: pydantic's words for its bounds (ge, le, …)."""

    name: str
    annotation: ast.expr | None
    default: ast.expr | None
    needed: bool
    limits: tuple[tuple[str, float], ...] = ()


def last(node: ast.expr) -> str:
    """The last part of a dotted name, of what is called or subscripted too; empty for anything else."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Subscript(value=value) | ast.Call(func=value):
            return last(value)
    return ""


def literal_of(default: ast.expr | None) -> list[Any]:
    """The tree of a default that can be read, alone in a list."""
    try:
        return [codec.parse(value_of(read(default)).wire)] if default is not None else []
    except Unreadable:
        return []


def arguments_of(bases: Sequence[ast.ClassDef]) -> Iterator[Field]:
    """What a class is called with; `bases`: itself, then those of the module that it derives from."""
    for node in bases:
        methods = {m.name: m for m in node.body if isinstance(m, ast.FunctionDef)}
        maker = methods.get("__init__") or methods.get("__new__")
        if maker is not None:
            yield from declared(maker.args)
            return
    fields: dict[str, Field] = {}
    for node in reversed(bases):
        if node.decorator_list or any(last(base) not in _BARE for base in node.bases):
            fields.update((field.name, field) for field in _fields(node))
    yield from fields.values()


def declared(arguments: ast.arguments) -> Iterator[Field]:
    by_position = [*arguments.posonlyargs, *arguments.args]
    defaults: list[ast.expr | None] = [None] * (len(by_position) - len(arguments.defaults))
    for index, (arg, default) in enumerate(zip(by_position, [*defaults, *arguments.defaults], strict=True)):
        if index:
            name = "" if index < len(arguments.posonlyargs) else arg.arg
            yield Field(name, arg.annotation, default, default is None)
    for arg, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield Field(arg.arg, arg.annotation, value, value is None)


def _fields(node: ast.ClassDef) -> Iterator[Field]:
    is_attrs = any(_of_attrs(decorator) for decorator in node.decorator_list)
    for member in node.body:
        match member:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=value):
                if last(annotation) not in _PRIVATE:
                    yield from _field(name, annotation, value, is_attrs)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as value) if is_attrs and _is_maker(value):
                said = _keywords(value)
                yield from _field(name, said.get("type") or said.get("converter"), value, is_attrs)


def _of_attrs(decorator: ast.expr) -> bool:
    return last(decorator) in ("define", "frozen", "mutable", "s", "attrs", "attributes") or (
        isinstance(decorator, ast.Call) and _of_attrs(decorator.func)
    )


def _is_maker(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Call) and last(value.func) in _MAKERS


def _keywords(call: ast.Call) -> dict[str, ast.expr]:
    return {one.arg: one.value for one in call.keywords if one.arg}


def _field(name: str, annotation: ast.expr | None, value: ast.expr | None, is_attrs: bool) -> Iterator[Field]:
    """None where the class is not called with it."""
    makers = [value] if _is_maker(value) else []
    makers += [one for one in _annotated(annotation) if _is_maker(one)]
    said = {key: item for one in makers if isinstance(one, ast.Call) for key, item in _keywords(one).items()}
    shown = said.get("alias")
    alias = shown.value if isinstance(shown, ast.Constant) else name.lstrip("_") if is_attrs else name
    init = said.get("init")
    if (isinstance(init, ast.Constant) and init.value is False) or not isinstance(alias, str):
        return
    if name.startswith("_") and not is_attrs:
        return
    default = said.get("default") if _is_maker(value) else value
    if isinstance(value, ast.Call) and last(value.func) == "Field" and value.args:
        default = None if _is_ellipsis(value.args[0]) else value.args[0]
    needed = default is None and not any(key in said for key in _DEFAULTS)
    yield Field(alias, annotation, default, needed, tuple(_limits(annotation, said)))


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...


def _annotated(annotation: ast.expr | None) -> list[ast.expr]:
    """What stands beside the type in `Annotated[type, …]`."""
    match annotation:
        case ast.Subscript(value=value, slice=ast.Tuple(elts=[_, *others])) if last(value) == "Annotated":
            return others
    return []


# --- bounds ---------------------------------------------------------------------------------------

_CALLED = ("Ge", "Gt", "Le", "Lt", "MinLen", "MaxLen", "Interval", "Len")
"""annotated_types' names for bounds, in lower case pydantic's."""
_VALIDATORS = {"ge": "ge", "gt": "gt", "le": "le", "lt": "lt", "min_len": "min_length", "max_len": "max_length"}
"""attrs.validators' names for bounds."""


def _limits(annotation: ast.expr | None, said: dict[str, ast.expr]) -> Iterator[tuple[str, float]]:
    for key, item in said.items():
        yield from _number(key, item)
    if isinstance(annotation, ast.Call):  # conint(ge=0), constr(max_length=3)
        for key, item in _keywords(annotation).items():
            yield from _number(key, item)
    for one in _annotated(annotation):
        if isinstance(one, ast.Call) and last(one.func) in _CALLED:
            names = ("min_length", "max_length") if last(one.func) in ("Len", "MinLen") else ("max_length",)
            names = names if "Len" in last(one.func) else (last(one.func).lower(),)
            for key, item in (*zip(names, one.args, strict=False), *_keywords(one).items()):
                yield from _number(key, item)
    for call in ast.walk(said.get("validator", ast.Constant(None))):
        if isinstance(call, ast.Call) and last(call.func) in _VALIDATORS and call.args:
            yield from _number(_VALIDATORS[last(call.func)], call.args[0])


def _number(key: str, node: ast.expr) -> Iterator[tuple[str, float]]:
    try:
        value = read(node)
    except Unreadable:
        return
    if key in ("ge", "gt", "le", "lt", "min_length", "max_length") and type(value) in (int, float):
        yield key, value


def constrained(shape: Shape, field: Field) -> Shape:
    """The shape within the field's limits, as far as it has such bounds."""
    limits = dict(field.limits)
    if shape.kind == "union":
        return replace(shape, items=tuple(constrained(item, field) for item in shape.items))
    if shape.kind in ("int", "float") and limits.keys() & {"ge", "gt", "le", "lt"}:
        step = 1 if shape.kind == "int" else 0.01
        low = limits["ge"] if "ge" in limits else limits["gt"] + step if "gt" in limits else None
        high = limits["le"] if "le" in limits else limits["lt"] - step if "lt" in limits else None
        return replace(shape, low=low, high=high)
    if shape.kind in (*CONTAINERS, *TEXTS, "bytes") and limits.keys() & {"min_length", "max_length"}:
        low = limits.get("min_length", 0)
        return replace(shape, low=low, high=limits.get("max_length", low + 8))
    return shape


# --- named tuples ---------------------------------------------------------------------------------


def named_tuple(node: ast.stmt) -> ast.ClassDef | None:
    """`P = namedtuple("P", "x y")` and `P = NamedTuple("P", [("x", int)])` as the class statement they stand for."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=func, args=[_, fields]) as call):
            if last(func) in ("namedtuple", "NamedTuple"):
                defaults = _keywords(call).get("defaults")
                return _class(name, list(_names_in(fields)), defaults)
    return None


def _names_in(fields: ast.expr) -> Iterator[tuple[str, ast.expr | None]]:
    match fields:
        case ast.Constant(value=str(text)):
            yield from ((name, None) for name in text.replace(",", " ").split())
        case ast.List(elts=elts) | ast.Tuple(elts=elts):
            for one in elts:
                match one:
                    case ast.Constant(value=str(name)):
                        yield name, None
                    case ast.Tuple(elts=[ast.Constant(value=str(name)), annotation]):
                        yield name, annotation


def _class(name: str, fields: list[tuple[str, ast.expr | None]], defaults: ast.expr | None) -> ast.ClassDef:
    """With an `__init__` that declares the fields."""
    values = list(defaults.elts) if isinstance(defaults, ast.Tuple | ast.List) else []
    made = ast.parse(f"class {name}:\n    def __init__(self): pass").body[0]
    assert isinstance(made, ast.ClassDef)
    init = made.body[0]
    assert isinstance(init, ast.FunctionDef)
    init.args.args += [ast.arg(field, annotation) for field, annotation in fields]
    init.args.defaults = values[: len(fields)]
    return made
