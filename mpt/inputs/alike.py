"""Inputs for methods that compare: two objects made of few values are equal often enough."""

from __future__ import annotations

from dataclasses import replace

from mpt.inputs.observed import union
from mpt.spelling import value_of
from mpt.values import Parameter, Shape

_COMPARING = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__")
_FEW: dict[str, tuple[object, ...]] = {
    "int": (0, 1),
    "float": (0.0, 1.5),
    "str": ("", "a"),
    "letters": ("", "a"),
    "bytes": (b"", b"a"),
}


def alike(name: str, parameters: list[Parameter]) -> list[Parameter]:
    """For a method of that name, its object first: what it is compared with is often such an object too."""
    if name not in _COMPARING or len(parameters) != 2:
        return parameters
    mine, other = parameters
    small = _few(mine.shape)
    return [
        replace(mine, shape=union([mine.shape, small])),
        replace(other, shape=union([other.shape, mine.shape, small])),
    ]


def _few(shape: Shape) -> Shape:
    few = _FEW.get(shape.kind)
    if few is not None and shape.low is None and shape.high is None and not shape.samples:
        return Shape("literal", samples=tuple(map(value_of, few)))
    shorter = shape.kind in ("list", "set", "frozenset", "dict") and not shape.low
    return replace(shape, items=tuple(map(_few, shape.items)), high=1 if shorter else shape.high)
