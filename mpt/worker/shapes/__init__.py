"""Bytes → arguments, and back: what turns a fuzzer's bytes into calls that the function's signature allows.

`Parameters(spec)` reads the parameters as JSON (names, shapes with bounds and samples). `decode` is total: any bytes
are some arguments, within the bounds; missing bytes are zeros, left-over bytes are ignored. `encode` finds bytes that
decode to given arguments, or None. Parameters are read in order, and every shape reads its own bytes:

    none             nothing
    bool             one byte, its lowest bit
    literal          one byte: which sample
    union            one byte: which choice; then the choice's bytes
    int              one byte t: below 160 a small number (zigzag: 0, -1, 1, …), below 192 a sample (one byte: which)
                     moved by t's last two bits less 1; below 224 two bytes, below 240 four, else eight, signed.
                     What is out of bounds is folded into them.
    float            one byte t: below 96 a small whole number, below 160 two bytes of hundredths, below 192 of tenths,
                     below 248 a sample (one byte: which), else eight bytes IEEE 754 (not finite: 0.0)
    complex          two floats
    str, letters     one byte t: its remainder by 4 says how: 3 a sample (one byte: which), 2 a sentence (one byte: how
                     many tokens, one byte each: which), else a length, and a byte a character of the alphabet
    bytes            a length; the bytes
    list, set, …     a length; the members (tuples of fixed length: the members alone; dict: key, value)
    call             the arguments

A length is one byte, modulo what is allowed; where that is more than 24, one byte from 208 on says that it is in the
next byte, and smaller ones are modulo 25. The alphabet and tokens are those of the samples: letters and digits
stand for their kind where the samples show three of them, so '010' stays binary and 'abcd' is any lower-case word.
Letters keep to that; a str may hold other characters too: where t's remainder by 4 is 1.
"""

from __future__ import annotations

from typing import Any

from mpt.worker import codec
from mpt.worker.shapes.base import Shape, Sized, Source, Unencodable
from mpt.worker.shapes.containers import Dict, Made, Many, Tuple, Union
from mpt.worker.shapes.scalars import Bool, Complex, Float, Int, Literal, Nothing
from mpt.worker.shapes.texts import Bytes, Str

__all__ = [
    "Bytes",
    "Dict",
    "Float",
    "Int",
    "Made",
    "Many",
    "Parameters",
    "Shape",
    "Sized",
    "Source",
    "Str",
    "Tuple",
    "Unencodable",
    "Union",
    "copied",
    "shape",
]


class Parameters:
    """The parameters of one function: `[{"name", "keyword", "shape"}, …]`, as the parent spells them."""

    def __init__(self, spec: list[dict[str, Any]]) -> None:
        self.names = [one["name"] for one in spec]
        self.keywords = [one["keyword"] for one in spec]
        self.shapes = [shape(one["shape"]) for one in spec]

    def decode(self, data: bytes) -> list[Any]:
        """A value for each parameter."""
        source = Source(data)
        return [one.decode(source) for one in self.shapes]

    def encode(self, values: list[Any]) -> bytes | None:
        """Bytes that decode to the values; None where there are none."""
        out = bytearray()
        try:
            for one, value in zip(self.shapes, values):
                one.encode(value, out)
        except Unencodable:
            return None
        return bytes(out)

    def spread(self, values: list[Any]) -> tuple[list[Any], dict[str, Any]]:
        """The call: positional and keyword arguments."""
        positional: list[Any] = []
        keyword: dict[str, Any] = {}
        for name, by_name, value in zip(self.names, self.keywords, values):
            if name.startswith("**"):
                keyword.update({key: item for key, item in value.items() if key not in keyword})
            elif name.startswith("*"):
                positional.extend(value)
            elif by_name:
                keyword[name] = value
            else:
                positional.append(value)
        return positional, keyword

    def gather(self, positional: list[Any], keyword: dict[str, Any]) -> list[Any] | None:
        """The inverse of `spread`; None where a parameter is not filled (an example that leaves a default out)."""
        values: list[Any] = []
        rest, named = list(positional), dict(keyword)
        for name, by_name in zip(self.names, self.keywords):
            if name.startswith("**"):
                values.append(named)
                named = {}
            elif name.startswith("*"):
                values.append(rest)
                rest = []
            elif not by_name and rest:
                values.append(rest.pop(0))
            elif name in named:
                values.append(named.pop(name))
            else:
                return None
        return None if rest or named else values


def shape(spec: dict[str, Any]) -> Shape:
    """The shape of `{"kind", "items", "low", "high", "samples"}`; of kind call also `"call"` and `"names"`."""
    made: Shape = _KINDS[spec["kind"]](spec, [shape(item) for item in spec["items"]])
    return made


def _tuple(spec: dict[str, Any], items: list[Shape]) -> Shape:
    """With a length: any number of one shape. Without: one shape a member."""
    return Tuple(spec, items) if spec["low"] is None else Many(spec, items)


_KINDS: dict[str, Any] = {
    "none": Nothing,
    "bool": Bool,
    "literal": Literal,
    "union": Union,
    "int": Int,
    "float": Float,
    "complex": Complex,
    "str": Str,
    "letters": Str,
    "bytes": Bytes,
    "list": Many,
    "set": Many,
    "frozenset": Many,
    "tuple": _tuple,
    "dict": Dict,
    "call": Made,
}


def copied(value: Any) -> Any:
    """A value of its own: the program called with it may change it."""
    kind = type(value)
    if kind in (list, set, tuple, frozenset):
        return kind([copied(member) for member in value])
    if kind is dict:
        return {key: copied(item) for key, item in value.items()}
    return codec.build(codec.parse(codec.encode(value))) if kind not in _ATOMS else value


_ATOMS = (type(None), bool, int, float, complex, str, bytes)
