"""What all shapes are: how they read bytes, and are found again."""

from __future__ import annotations

from typing import Any

from mpt.worker import codec

_UNBOUNDED = 8
"""Length at most, where nothing is known."""
_SHORT, _LONG = 24, 208


class Unencodable(ValueError):
    """No bytes decode to the value."""


class Source:
    """Bytes to read from, zeros after their end."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def byte(self) -> int:
        at = self.at
        self.at = at + 1
        return self.data[at] if at < len(self.data) else 0

    def take(self, count: int) -> bytes:
        at = self.at
        self.at = at + count
        return self.data[at : at + count].ljust(count, b"\0")


class Shape:
    """One kind of value. `items`: of its elements; `samples` are objects; `low`, `high` as the parent gave them."""

    def __init__(self, spec: dict[str, Any], items: list[Shape]) -> None:
        self.kind: str = spec["kind"]
        self.items = items
        self.low: Any = spec["low"]
        self.high: Any = spec["high"]
        self.samples: list[Any] = [codec.build(tree) for tree in spec["samples"]]

    def decode(self, source: Source) -> Any:
        raise NotImplementedError

    def encode(self, value: Any, out: bytearray) -> None:
        """Appends the value's bytes. Raises Unencodable."""
        raise NotImplementedError

    def holds(self, value: Any) -> bool:
        """Is it a value of this shape, bounds included?"""
        raise NotImplementedError

    def _sample(self, source: Source) -> Any:
        return self.samples[source.byte() % len(self.samples)]


class Sized(Shape):
    """What has a length within bounds."""

    def __init__(self, spec: dict[str, Any], items: list[Shape]) -> None:
        super().__init__(spec, items)
        self.shortest = int(self.low or 0)
        self.longest = max(self.shortest, _UNBOUNDED if self.high is None else int(self.high))

    def length(self, source: Source) -> int:
        byte = source.byte()
        room = self.longest - self.shortest
        if room <= _SHORT:
            return self.shortest + byte % (room + 1)
        return self.shortest + (byte % (_SHORT + 1) if byte < _LONG else source.byte() % (room + 1))

    def put_length(self, length: int, out: bytearray) -> None:
        more = length - self.shortest
        if not self.fits(length) or more > 255:
            raise Unencodable
        out += bytes((more,) if more <= _SHORT else (_LONG, more))

    def fits(self, length: int) -> bool:
        return self.shortest <= length <= self.longest
