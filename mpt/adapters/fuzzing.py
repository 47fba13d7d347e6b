"""What both fuzzers share: parameters and seeds as the worker reads them, and what comes back as Arguments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from mpt.values import Arguments, Parameter, Shape, Value
from mpt.worker import codec
from mpt.worker.shapes import Parameters


def specification(parameters: Sequence[Parameter]) -> list[dict[str, Any]]:
    """The parameters as `mpt.worker.shapes.Parameters` reads them."""
    return [{"name": one.name, "keyword": one.keyword, "shape": _shape(one.shape)} for one in parameters]


def _shape(shape: Shape) -> dict[str, Any]:
    return {
        "kind": shape.kind,
        "items": [_shape(item) for item in shape.items],
        "low": shape.low,
        "high": shape.high,
        "samples": [codec.parse(sample.wire) for sample in shape.samples],
        "call": shape.call,
        "names": list(shape.names),
    }


def calls(seeds: Iterable[Arguments]) -> list[Any]:
    """Pairs of positional and keyword argument trees."""
    return [
        [
            [codec.parse(value.wire) for value in seed.positional],
            {name: codec.parse(value.wire) for name, value in seed.keyword},
        ]
        for seed in seeds
    ]


class Harvest:
    """Collects what a fuzzer found: distinct, none of the seeds, and of the parameters' shapes.

    What comes from inside the wall may be forged by the program that ran there; what does not fit is passed over.
    """

    def __init__(self, parameters: Sequence[Parameter], seeds: Iterable[Arguments], engine: str) -> None:
        self._parameters = Parameters(specification(parameters))
        self._engine = engine
        self._seeds = frozenset(seeds)
        self._found: dict[Arguments, None] = {}

    def add_call(self, positional: object, keyword: object) -> None:
        """Argument trees, as the worker's loop sends them."""
        try:
            arguments = [codec.build(codec.parse(codec.dumps(tree))) for tree in _list(positional)]
            named = {str(name): codec.build(codec.parse(codec.dumps(tree))) for name, tree in _dict(keyword).items()}
        except (codec.CodecError, TypeError, ValueError, RecursionError):
            return
        values = self._parameters.gather(arguments, named)
        if values is not None:
            self._add(values)

    def add_bytes(self, data: bytes) -> None:
        """Bytes, as AFL keeps them."""
        self._add(self._parameters.decode(data))

    def _add(self, values: list[Any]) -> None:
        if not all(shape.holds(value) for shape, value in zip(self._parameters.shapes, values, strict=True)):
            return
        positional, keyword = self._parameters.spread(values)
        arguments = Arguments(
            tuple(Value(codec.encode(value)) for value in positional),
            tuple((name, Value(codec.encode(value))) for name, value in keyword.items()),
        )
        if arguments not in self._seeds:
            self._found[replace(arguments, origin="fuzzed", engine=self._engine)] = None

    def __len__(self) -> int:
        return len(self._found)

    def best(self, count: int) -> tuple[Arguments, ...]:
        """The first `count` in the order in which they were added."""
        return tuple(self._found)[:count]


def _list(tree: object) -> list[Any]:
    return tree if isinstance(tree, list) else []


def _dict(tree: object) -> dict[Any, Any]:
    return tree if isinstance(tree, dict) else {}
