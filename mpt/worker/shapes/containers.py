"""Values that hold others."""

from __future__ import annotations

from typing import Any

from mpt.worker import codec
from mpt.worker.shapes.base import Shape, Sized, Source, Unencodable


class Union(Shape):
    def decode(self, source: Source) -> Any:
        return self.items[source.byte() % len(self.items)].decode(source)

    def choice(self, value: Any) -> Shape | None:
        """The choice that the value belongs to."""
        return next((item for item in self.items if item.holds(value)), None)

    def encode(self, value: Any, out: bytearray) -> None:
        choice = self.choice(value)
        if choice is None:
            raise Unencodable
        out.append(self.items.index(choice))
        choice.encode(value, out)

    def holds(self, value: Any) -> bool:
        return self.choice(value) is not None


class Many(Sized):
    """list, set, frozenset, and tuples of any length. A set may come out shorter: its members are distinct."""

    def __init__(self, spec: dict[str, Any], items: list[Shape]) -> None:
        super().__init__(spec, items)
        self.make: Any = {"list": list, "set": set, "frozenset": frozenset, "tuple": tuple}[self.kind]
        self.distinct = self.kind in ("set", "frozenset")

    def decode(self, source: Source) -> Any:
        item = self.items[0]
        return self.of([item.decode(source) for _ in range(self.length(source))])

    def of(self, members: list[Any]) -> Any:
        """The container of these members; what cannot be hashed is no member of a set."""
        return self.make([member for member in members if _hashable(member)] if self.distinct else members)

    def encode(self, value: Any, out: bytearray) -> None:
        if type(value) is not self.make:
            raise Unencodable
        self.put_length(len(value), out)
        for member in value:
            self.items[0].encode(member, out)

    def holds(self, value: Any) -> bool:
        return (
            type(value) is self.make
            and (len(value) <= self.longest if self.distinct else self.fits(len(value)))
            and all(map(self.items[0].holds, value))
        )


class Tuple(Shape):
    """A tuple of fixed length, one shape a member."""

    def decode(self, source: Source) -> Any:
        return tuple([item.decode(source) for item in self.items])

    def encode(self, value: Any, out: bytearray) -> None:
        if type(value) is not tuple or len(value) != len(self.items):
            raise Unencodable
        for item, member in zip(self.items, value):
            item.encode(member, out)

    def holds(self, value: Any) -> bool:
        return (
            type(value) is tuple
            and len(value) == len(self.items)
            and all(item.holds(member) for item, member in zip(self.items, value))
        )


class Dict(Sized):
    """A dict may come out shorter than its length: keys are distinct."""

    def decode(self, source: Source) -> Any:
        key, item = self.items
        return self.of([(key.decode(source), item.decode(source)) for _ in range(self.length(source))])

    def of(self, pairs: list[Any]) -> dict[Any, Any]:
        """The dict of these pairs; what cannot be hashed is no key."""
        return {key: item for key, item in pairs if _hashable(key)}

    def encode(self, value: Any, out: bytearray) -> None:
        if type(value) is not dict:
            raise Unencodable
        self.put_length(len(value), out)
        for key, item in value.items():
            self.items[0].encode(key, out)
            self.items[1].encode(item, out)

    def holds(self, value: Any) -> bool:
        if type(value) is not dict or len(value) > self.longest:
            return False
        return all(self.items[0].holds(key) and self.items[1].holds(item) for key, item in value.items())


class Made(Shape):
    """What is made by calling something: a class of the module, most often. Its value is the call (`codec.Call`)."""

    def __init__(self, spec: dict[str, Any], items: list[Shape]) -> None:
        super().__init__(spec, items)
        self.callee: str = spec["call"]
        self.names: list[str] = spec["names"]

    def decode(self, source: Source) -> Any:
        return self.of([item.decode(source) for item in self.items])

    def of(self, arguments: list[Any]) -> codec.Call:
        """The call with a value for each of the names."""
        named = list(zip(self.names, arguments))
        return codec.Call(self.callee, [v for name, v in named if not name], {name: v for name, v in named if name})

    def arguments(self, value: Any) -> list[Any]:
        """The inverse of `of`. Raises Unencodable."""
        if type(value) is not codec.Call or value.callee != self.callee:
            raise Unencodable
        positional, keyword = list(value.positional), dict(value.keyword)
        try:
            found = [keyword.pop(name) if name else positional.pop(0) for name in self.names]
        except LookupError:
            raise Unencodable from None
        if positional or keyword:
            raise Unencodable
        return found

    def encode(self, value: Any, out: bytearray) -> None:
        for item, argument in zip(self.items, self.arguments(value)):
            item.encode(argument, out)

    def holds(self, value: Any) -> bool:
        try:
            return all(item.holds(argument) for item, argument in zip(self.items, self.arguments(value)))
        except Unencodable:
            return False


def _hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True
