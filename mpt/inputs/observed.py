"""Shapes from values that were seen, and what a declared shape becomes in their light.

Values are the JSON trees of `mpt.worker.codec`. Bounds are exactly those seen; `generous` widens them at the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from mpt.values import Shape, Value
from mpt.worker import codec

INT, STR = Shape("int"), Shape("str")
ANY = Shape("union", (INT, STR, Shape("float"), Shape("bool"), Shape("none"), Shape("list", (INT,))))
MAX_SAMPLES = 40
CONTAINERS = ("list", "set", "frozenset", "dict", "tuple")
TEXTS = ("str", "letters")
LENGTHS = (*CONTAINERS, *TEXTS, "bytes")
LEAST_FLOAT = 0.01
"""The smallest number that is positive, to us, where it is a float."""
LONG_TEXT = 100
"""Texts may be as long as that where nothing says otherwise."""


def kind_of(tree: Any) -> str:
    """The shape's kind a value belongs to; "literal" for what we can repeat but not vary (Decimal, range, …)."""
    if isinstance(tree, dict):
        [tag] = tree
        return tag if tag in ("int", "bytes", "complex", *CONTAINERS) else "literal"
    return "none" if tree is None else type(tree).__name__


def elements(tree: Any) -> list[Any]:
    """A list's, set's or tuple's members; a dict's [key, value] pairs."""
    if isinstance(tree, list):
        return tree
    [body] = tree.values()
    return list(body)


def of_values(trees: Sequence[Any]) -> Shape:
    """The smallest shape that holds them all; one of kind "none" where there are none."""
    by_kind: dict[str, list[Any]] = {}
    for tree in trees:
        by_kind.setdefault(kind_of(tree), []).append(tree)
    return union([_of_kind(kind, same) for kind, same in by_kind.items()])


def union(choices: Iterable[Shape]) -> Shape:
    """One shape for several: flat, each once."""
    flat: dict[Shape, None] = {}
    for choice in choices:
        flat.update(dict.fromkeys(choice.items if choice.kind == "union" else (choice,)))
    several = tuple(flat)
    return several[0] if len(several) == 1 else Shape("union", several) if several else Shape("none")


def choices_of(shape: Shape) -> tuple[Shape, ...]:
    return shape.items if shape.kind == "union" else (shape,)


def _of_kind(kind: str, trees: list[Any]) -> Shape:
    if kind in ("none", "bool"):
        return Shape(kind)
    shape = _with_seen(Shape(kind), trees)
    if kind == "tuple":
        lengths = {len(elements(tree)) for tree in trees}
        if len(lengths) == 1 and lengths != {0}:
            columns = zip(*map(elements, trees), strict=True)
            return replace(shape, items=tuple(of_values(column) for column in columns), low=None, high=None)
    if kind in ("list", "set", "frozenset", "tuple"):
        inside = [member for tree in trees for member in elements(tree)]
        return replace(shape, items=(of_values(inside) if inside else INT,))
    if kind == "dict":
        pairs = [pair for tree in trees for pair in elements(tree)]
        keys, values = [key for key, _ in pairs], [value for _, value in pairs]
        items = (of_values(keys), of_values(values)) if pairs else (STR, INT)
        return replace(shape, items=items)
    return shape


def _with_seen(shape: Shape, trees: list[Any]) -> Shape:
    """The shape with the bounds and samples of the values seen for it."""
    wires = dict.fromkeys(codec.dumps(tree) for tree in trees)
    samples = tuple(Value(wire) for wire in list(wires)[:MAX_SAMPLES])
    if shape.kind in ("int", "float"):
        finite = [number for number in map(codec.build, trees) if number - number == 0]
        return replace(shape, low=min(finite, default=None), high=max(finite, default=None), samples=samples)
    if shape.kind in LENGTHS:
        lengths = [len(codec.build(tree)) for tree in trees]
        return replace(shape, low=min(lengths), high=max(lengths), samples=samples)
    return replace(shape, samples=samples)


# --- declared and seen together -------------------------------------------------------------------


def refine(declared: Shape, trees: Sequence[Any]) -> Shape:
    """The declared shape narrowed by the values seen for it. Where they contradict each other, the values win."""
    if not trees:
        return declared
    choices = choices_of(declared)
    owned: list[list[Any]] = [[] for _ in choices]
    for tree in trees:
        owner = next((i for i, choice in enumerate(choices) if accepts(choice, tree)), None)
        if owner is None:
            owner = next((i for i, choice in enumerate(choices) if choice.kind == kind_of(tree)), None)
        if owner is None and declared == ANY:
            return union([*choices, of_values(trees)])
        if owner is None:
            return of_values(trees)
        owned[owner].append(tree)
    return union(_refined(choice, mine) if mine else choice for choice, mine in zip(choices, owned, strict=True))


def accepts(shape: Shape, tree: Any) -> bool:
    """Does the value belong to the shape, bounds aside? An int is a float's too (PEP 484's numeric tower)."""
    kind = kind_of(tree)
    if shape.kind == "union":
        return any(accepts(choice, tree) for choice in shape.items)
    if shape.kind == "literal":
        return Value(codec.dumps(tree)) in shape.samples
    if shape.kind != kind:
        return shape.kind == "float" and kind == "int"
    if kind == "tuple" and shape.low is None:
        members = elements(tree)
        return len(members) == len(shape.items) and all(map(accepts, shape.items, members))
    if kind == "dict":
        return all(accepts(shape.items[0], key) and accepts(shape.items[1], value) for key, value in elements(tree))
    return kind not in CONTAINERS or all(accepts(shape.items[0], member) for member in elements(tree))


def _refined(choice: Shape, trees: list[Any]) -> Shape:
    if choice.kind in ("none", "bool", "literal"):
        return choice
    if choice.kind == "float":
        return union(_of_kind(kind, same) for kind in ("float", "int") if (same := _only(kind, trees)))
    shape = _with_seen(choice, trees)
    if choice.kind == "dict":
        pairs = [pair for tree in trees for pair in elements(tree)]
        keys, values = [key for key, _ in pairs], [value for _, value in pairs]
        return replace(shape, items=(refine(choice.items[0], keys), refine(choice.items[1], values)))
    if choice.kind == "tuple" and choice.low is None:
        if any(len(elements(tree)) != len(choice.items) for tree in trees):
            return _of_kind("tuple", trees)
        columns = zip(*map(elements, trees), strict=True)
        return replace(shape, items=tuple(map(refine, choice.items, columns)), low=None, high=None)
    if choice.kind in CONTAINERS:
        inside = [member for tree in trees for member in elements(tree)]
        return replace(shape, items=(refine(choice.items[0], inside),))
    return shape


def _only(kind: str, trees: list[Any]) -> list[Any]:
    return [tree for tree in trees if kind_of(tree) == kind]


# --- room around what was seen --------------------------------------------------------------------


def generous(shape: Shape, negative: bool = False) -> Shape:
    """Bounds with room: an order of magnitude for numbers, twice the length and a little more for the rest.

    A number by itself that is never negative in examples stays so, a float that is always positive too, unless they may
    be `negative`; inside a container they may be. Lengths go down to zero.
    """
    if shape.kind == "call":  # what is passed in it has its bounds already
        return shape
    items = tuple(generous(item, negative or shape.kind in CONTAINERS) for item in shape.items)
    if shape.kind in ("int", "float"):
        return _roomy(shape, negative)
    if shape.kind in LENGTHS and not (shape.kind == "tuple" and shape.low is None):
        longest = 8 if shape.high is None else 2 * shape.high + 4
        return replace(shape, items=items, low=0, high=max(longest, LONG_TEXT) if shape.kind in TEXTS else longest)
    return replace(shape, items=items)


def _roomy(shape: Shape, negative: bool) -> Shape:
    if shape.low is None or shape.high is None:
        return shape
    most = 10 * max(10, shape.high, -shape.low)
    if shape.low < 0 or negative:
        return replace(shape, low=-most, high=most)
    return replace(shape, low=LEAST_FLOAT if shape.kind == "float" and shape.low > 0 else 0, high=most)
