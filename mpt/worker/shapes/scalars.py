"""Values that hold no others."""

from __future__ import annotations

import struct
from typing import Any

from mpt.worker import codec
from mpt.worker.shapes.base import Shape, Source, Unencodable


class Nothing(Shape):
    def decode(self, source: Source) -> Any:
        return None

    def encode(self, value: Any, out: bytearray) -> None:
        if value is not None:
            raise Unencodable

    def holds(self, value: Any) -> bool:
        return value is None


class Bool(Shape):
    def decode(self, source: Source) -> Any:
        return bool(source.byte() & 1)

    def encode(self, value: Any, out: bytearray) -> None:
        if type(value) is not bool:
            raise Unencodable
        out.append(value)

    def holds(self, value: Any) -> bool:
        return type(value) is bool


class Literal(Shape):
    def __init__(self, spec: dict[str, Any], items: list[Shape]) -> None:
        super().__init__(spec, items)
        self.trees = spec["samples"]
        self.texts = [codec.dumps(tree) for tree in self.trees]

    def decode(self, source: Source) -> Any:
        return codec.build(self.trees[source.byte() % len(self.trees)])

    def encode(self, value: Any, out: bytearray) -> None:
        if not self.holds(value):
            raise Unencodable
        out.append(self.texts.index(codec.encode(value)))

    def holds(self, value: Any) -> bool:
        return codec.encode(value) in self.texts


class Int(Shape):
    def decode(self, source: Source) -> Any:
        t = source.byte()
        if t < 160:
            return self.fold(_unzigzag(t))
        if t < 192:
            return self.fold(self._sample(source) + (t & 3) - 1 if self.samples else _unzigzag(t))
        return self.fold(int.from_bytes(source.take(_int_size(t)), "little", signed=True))

    def encode(self, value: Any, out: bytearray) -> None:
        if not self.holds(value):
            raise Unencodable
        if -80 <= value < 80:
            out.append(_zigzag(value))
            return
        for t in (192, 224, 240):
            size = _int_size(t)
            if -(1 << (8 * size - 1)) <= value < 1 << (8 * size - 1):
                out.append(t)
                out += value.to_bytes(size, "little", signed=True)
                return
        raise Unencodable

    def holds(self, value: Any) -> bool:
        return (
            type(value) is int and (self.low is None or value >= self.low) and (self.high is None or value <= self.high)
        )

    def fold(self, value: int) -> int:
        """The value, or one within the bounds in its place."""
        low, high = self.low, self.high
        if low is not None and value < low:
            value = int(low) + int(low - value)
        if high is not None and value > high:
            value = int(high) - int(value - high) % (1000 if low is None else int(high - low) + 1)
        return value


class Float(Shape):
    def decode(self, source: Source) -> Any:
        t = source.byte()
        if t < 96:
            return self.fold(float(_unzigzag(t)))
        if t < 192:
            return self.fold(int.from_bytes(source.take(2), "little", signed=True) / (100 if t < 160 else 10))
        if t < 248:
            sample = self._sample(source) if self.samples else 0.0
            return self.fold(sample) if sample - sample == 0 else sample
        return self.fold(struct.unpack("<d", source.take(8))[0])

    def encode(self, value: Any, out: bytearray) -> None:
        if not self.holds(value):
            raise Unencodable
        if value == value and -48 <= value < 48 and value == int(value) and str(value) != "-0.0":
            out.append(_zigzag(int(value)))
        elif value - value == 0:
            out.append(255)
            out += struct.pack("<d", value)
        else:
            same = [i for i, sample in enumerate(self.samples) if repr(sample) == repr(value)]
            if not same:
                raise Unencodable
            out += bytes((192, same[0]))

    def holds(self, value: Any) -> bool:
        if type(value) is not float:
            return False
        if value - value != 0:
            return repr(value) in map(repr, self.samples)
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)

    def fold(self, value: float) -> float:
        """The value, or one within the bounds in its place; a number that is not finite becomes 0.0."""
        if value - value != 0:
            value = 0.0
        if self.low is not None and value < self.low:
            value = min(-value, float(self.high)) if self.low == 0 and self.high is not None else float(self.low)
        if self.high is not None and value > self.high:
            value = float(self.high)
        return value


class Complex(Shape):
    def __init__(self, spec: dict[str, Any], items: list[Shape]) -> None:
        super().__init__(spec, items)
        self.part = Float({"kind": "float", "low": None, "high": None, "samples": []}, [])

    def decode(self, source: Source) -> Any:
        return complex(self.part.decode(source), self.part.decode(source))

    def encode(self, value: Any, out: bytearray) -> None:
        if type(value) is not complex:
            raise Unencodable
        self.part.encode(value.real, out)
        self.part.encode(value.imag, out)

    def holds(self, value: Any) -> bool:
        return type(value) is complex


def _zigzag(value: int) -> int:
    return 2 * value if value >= 0 else -2 * value - 1


def _unzigzag(byte: int) -> int:
    return byte >> 1 if byte % 2 == 0 else -(byte >> 1) - 1


def _int_size(t: int) -> int:
    return 2 if t < 224 else 4 if t < 240 else 8
