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

import re
import string
import struct
from typing import Any

from mpt.worker import codec

_EXTENDED = (string.ascii_lowercase, string.ascii_uppercase, string.digits)
_TOKEN = re.compile(r"[A-Za-z]+|\d+|\s+|.", re.DOTALL)
_UNBOUNDED = 8
"""Length at most, where nothing is known."""
_SHORT, _LONG = 24, 208
_ODD = string.ascii_lowercase + string.ascii_uppercase + string.digits + "  .,!?-'_"
"""What a str may hold that its samples do not."""


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
    made: Shape = _KINDS[spec["kind"]](spec)
    return made


class Shape:
    """One kind of value. `samples` are objects; `low` and `high` as the parent gave them."""

    def __init__(self, spec: dict[str, Any]) -> None:
        self.kind: str = spec["kind"]
        self.items: list[Shape] = [shape(item) for item in spec["items"]]
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
    def __init__(self, spec: dict[str, Any]) -> None:
        super().__init__(spec)
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
    def __init__(self, spec: dict[str, Any]) -> None:
        super().__init__(spec)
        self.part = Float({"kind": "float", "items": [], "low": None, "high": None, "samples": []})

    def decode(self, source: Source) -> Any:
        return complex(self.part.decode(source), self.part.decode(source))

    def encode(self, value: Any, out: bytearray) -> None:
        if type(value) is not complex:
            raise Unencodable
        self.part.encode(value.real, out)
        self.part.encode(value.imag, out)

    def holds(self, value: Any) -> bool:
        return type(value) is complex


class Sized(Shape):
    """What has a length within bounds."""

    def __init__(self, spec: dict[str, Any]) -> None:
        super().__init__(spec)
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


class Str(Sized):
    def __init__(self, spec: dict[str, Any]) -> None:
        super().__init__(spec)
        self.samples = [sample for sample in self.samples if self.fits(len(sample))]
        shown = "".join(self.samples)
        self.alphabet = _alphabet(shown) if shown else _ODD
        self.odd = "".join(dict.fromkeys(self.alphabet + _ODD))[:256] if self.kind == "str" else self.alphabet
        self.letters = frozenset(self.odd)
        self.brackets = [pair for pair in ("()", "[]", "{}", "<>") if self.letters.issuperset(pair)]
        self.tokens = list(dict.fromkeys(token for sample in self.samples for token in _TOKEN.findall(sample)))[:256]

    def decode(self, source: Source) -> Any:
        how = source.byte() % 4
        if how == 3 and self.samples:
            return self._sample(source)
        if how == 2 and self.tokens:
            count = source.byte() % 12
            text = "".join(self.tokens[source.byte() % len(self.tokens)] for _ in range(count))
            return self.fit(text)
        alphabet = self.odd if how == 1 else self.alphabet
        return "".join(alphabet[source.byte() % len(alphabet)] for _ in range(self.length(source)))

    def encode(self, value: Any, out: bytearray) -> None:
        if not self.holds(value):
            raise Unencodable
        if value in self.samples[:256]:
            out += bytes((3, self.samples.index(value)))
            return
        plain = all(letter in self.alphabet for letter in value)
        out.append(0 if plain else 1)
        self.put_length(len(value), out)
        out += bytes((self.alphabet if plain else self.odd).index(letter) for letter in value)

    def holds(self, value: Any) -> bool:
        return type(value) is str and self.fits(len(value)) and self.letters.issuperset(value)

    def fit(self, text: str) -> str:
        """The text without letters that are not allowed, cut or filled up to the length that is."""
        allowed = "".join(letter for letter in text[: self.longest] if letter in self.letters)
        return allowed.ljust(self.shortest, self.alphabet[0])


class Bytes(Sized):
    def decode(self, source: Source) -> Any:
        return source.take(self.length(source))

    def encode(self, value: Any, out: bytearray) -> None:
        if not self.holds(value):
            raise Unencodable
        self.put_length(len(value), out)
        out += value

    def holds(self, value: Any) -> bool:
        return type(value) is bytes and self.fits(len(value))


class Many(Sized):
    """list, set, frozenset, and tuples of any length. A set may come out shorter: its members are distinct."""

    def __init__(self, spec: dict[str, Any]) -> None:
        super().__init__(spec)
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


class Made(Shape):
    """What is made by calling something: a class of the module, most often. Its value is the call (`codec.Call`)."""

    def __init__(self, spec: dict[str, Any]) -> None:
        super().__init__(spec)
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


def _tuple(spec: dict[str, Any]) -> Shape:
    """With a length: any number of one shape. Without: one shape a member."""
    return Tuple(spec) if spec["low"] is None else Many(spec)


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


def _zigzag(value: int) -> int:
    return 2 * value if value >= 0 else -2 * value - 1


def _unzigzag(byte: int) -> int:
    return byte >> 1 if byte % 2 == 0 else -(byte >> 1) - 1


def _int_size(t: int) -> int:
    return 2 if t < 224 else 4 if t < 240 else 8


def _hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _alphabet(text: str) -> str:
    """The characters of the samples, in order, then those of the kinds they show three of; 256 at most."""
    letters = dict.fromkeys(text)
    for kind in _EXTENDED:
        if len(letters.keys() & set(kind)) >= 3:
            letters.update(dict.fromkeys(kind))
    return "".join(letters)[:256]
