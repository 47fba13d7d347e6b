"""Python values as data: the one spelling that crosses the wall, both ways.

A value is canonical JSON text. JSON's own null, booleans, integers, floats (also NaN, Infinity, -Infinity), strings
(lone surrogates escaped) and arrays are Python's None, bool, int, float, str and list; everything else is an object
with one key, its tag:

    {"tuple": [..]}  {"set": [..]}  {"frozenset": [..]}     members of sets sorted by their own text
    {"dict": [[k, v], ..]}                                  in order; also Counter, OrderedDict, defaultdict
    {"int": "0x.."}                                         integers beyond 4,000 digits
    {"bytes": "hex"}  {"bytearray": "hex"}  {"complex": [re, im]}  {"range": [start, stop, step]}  {"deque": [..]}
    {"decimal": "1.20"}  {"fraction": [n, d]}
    {"datetime": iso}  {"date": iso}  {"time": iso}  {"timedelta": [days, seconds, microseconds]}
    {"enum": ["Color", "RED"]}  {"record": ["Point", [["x", 1], ..]]}     dataclasses, namedtuples: fields by name
    {"object": ["Stack", [["items", [1]], ..]]}             any other object of a class in Python: attributes by name
    {"above": 1}                                            inside an object: the one so many steps around it
    {"iterator": ["generator", [first items..], ended]}     also views of a dict's values; ended: true, false (there are
                                                            more), or the name of the exception that ended it
    {"source": "lambda x: x"}                               an argument, as Python text that the program's module reads
    {"call": ["Stack", [[1, 2]], [["size", 3]]]}            an argument, as what is called to make it, and with what
    {"array": ["int64", [2, 3], [items..]]}                 numpy arrays: dtype, shape, items in their order; scalars
                                                            are Python's own, or one of these:
    {"datetime64": "2024-01-01T00:00:00.000000001"}         beyond Python's datetime and timedelta; a count and its unit
    {"timedelta64": [1, "ns"]}
    {"missing": "NaT"}                                      NaT, pandas.NA, an item that is masked
    {"index": [kind, names, [[dtype, items], ..], freq]}    a pandas.Index; several levels in a MultiIndex
    {"series": [name, index, dtype, items]}  {"frame": [index, columns, [[dtype, items], ..]]}
    {"extension": [dtype, items]}                           an array of pandas's own
    {"category": [categories, ordered]}                     a dtype; others are texts
    {"foreign": ["shapely.geometry.Point", [0.0, 1.0]]}     a plugin's type: its name, and what that tells
    {"type": "int"}                                         a class or function, by name
    {"opaque": "typename"}                                  what cannot be carried

`encode` runs beside hostile objects and never raises; `parse` reads hostile bytes and raises CodecError alone.
"""

import collections
import dataclasses
import datetime
import decimal
import enum
import fractions
import json
import types
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from mpt.worker import checking, foreign, objects
from mpt.worker.checking import LEAVES, MAX_DEPTH, PLAIN
from mpt.worker.told import Told

MAX_NODES = 200_000
"""Values inside one value; the rest is opaque."""
MAX_TEXT = 8 << 20
"""Characters or bytes of one value; a longer one is opaque."""
MAX_ITEMS = 50
"""Items taken from an iterator."""
_BIG = 1 << 13_000

CodecError = checking.CodecError


class Source(NamedTuple):
    """An argument as Python text: only the program's module can say what it stands for."""

    text: str


class Call(NamedTuple):
    """An argument as what makes it: Python text of a class or function, and what that is called with."""

    callee: str
    positional: list[Any]
    keyword: dict[str, Any]


class Drained(NamedTuple):
    """What an iterator gave. ended: True, False where there is more, or the name of the exception that ended it."""

    kind: str
    items: list[Any]
    ended: Any


# --- objects → text (inside the wall, beside hostile objects) -------------------------------------


def encode(value: object, told: Sequence[Told] = ()) -> str:
    """The canonical text of `value`; opaque where it cannot be carried. Never raises an Exception.

    told: types that plugins tell of.
    """
    return dumps(_Encoder(told).tree(value, 0))


def _encoder() -> Any:
    """JSONEncoder.encode, without making its C part anew for every value, where there is one."""
    make = getattr(json.encoder, "c_make_encoder", None)
    if make is None:
        return json.JSONEncoder(separators=(",", ":")).encode
    parts = make(None, None, json.encoder.encode_basestring_ascii, None, ":", ",", False, False, True)
    return lambda tree: "".join(parts(tree, 0))


dumps: Callable[[Any], str] = _encoder()
"""Canonical JSON text of a tree. Made early: a program may replace what the json module holds."""


class _Encoder:
    """Object → JSON tree. Types are compared exactly: a subclass may lie about everything else."""

    def __init__(self, told: Sequence[Told]) -> None:
        self.told = told
        self.nodes = 0
        self.around: list[int] = []
        """Ids of the objects that are being spelt, outermost first."""

    def tree(self, value: Any, depth: int) -> Any:
        kind = type(value)
        if kind in _SIZED and len(value) > MAX_TEXT:
            return {"opaque": "long " + kind.__name__}
        if kind in PLAIN:
            return value
        if kind is int:
            return value if -_BIG < value < _BIG else {"int": hex(value)}
        self.nodes += 1
        if depth > MAX_DEPTH or self.nodes > MAX_NODES:
            return {"opaque": "deep or endless " + type_name(kind)}
        try:
            if kind is list:
                return self._all(value, depth)
            spell = _SPELL.get(kind)
            return spell(self, value, depth) if spell else self._other(value, kind, depth)
        except Exception:  # hostile attributes, iterators that raise
            return {"opaque": type_name(kind)}

    def _all(self, values: Any, depth: int) -> Any:
        self._count(len(values))
        kinds = set(map(type, values))
        if (kinds <= PLAIN and not kinds & _SIZED) or (kinds == _INT and min(values) > -_BIG and max(values) < _BIG):
            return values if type(values) is list else list(values)
        return [self.tree(item, depth + 1) for item in values]

    def _count(self, more: int) -> None:
        self.nodes += more
        if self.nodes > MAX_NODES:
            raise OverflowError

    def _unordered(self, values: Any, depth: int) -> list[Any]:
        return sorted(self._all(list(values), depth), key=dumps)

    def _pairs(self, value: Any, depth: int) -> list[Any]:
        items = list(dict.items(value))
        self._count(len(items))
        return [[self.tree(key, depth + 1), self.tree(item, depth + 1)] for key, item in items]

    def _other(self, value: Any, kind: type, depth: int) -> Any:
        for one in self.told:
            if one.holds(value):
                return {"foreign": [one.name, self.tree(one.tell(value), depth + 1)]}
        if issubclass(kind, enum.Enum):
            return {"enum": [type_name(kind), str(value._name_)]}
        fields = getattr(kind, "_fields", None)
        if issubclass(kind, tuple) and isinstance(fields, tuple):
            return self._record(kind, fields, tuple.__iter__(value), depth)
        if dataclasses.is_dataclass(kind):
            names = [field.name for field in dataclasses.fields(kind)]
            return self._record(kind, names, [getattr(value, name) for name in names], depth)
        if issubclass(kind, type):
            return {"type": type_name(value)}
        counted = foreign.fields(value)
        if counted is not None:
            return self._record(kind, [n for n, _ in counted], [v for _, v in counted], depth)
        if kind in _ITERATORS or (hasattr(kind, "__next__") and hasattr(kind, "__iter__")):
            return self._iterator(value, kind, depth)
        spelt = foreign.plain(value, lambda item: self.tree(item, depth + 1), self._count)
        if spelt is not None:
            return spelt
        name = objects.name_of(value)
        if name:
            return {"type": name}
        return self._object(value, kind, depth)

    def _object(self, value: Any, kind: type, depth: int) -> Any:
        if id(value) in self.around:
            return {"above": len(self.around) - self.around.index(id(value))}
        attributes = objects.attributes(value)
        if attributes is None:
            attributes = objects.contents(value)
        if attributes is None:
            return {"opaque": type_name(kind)}
        self.around.append(id(value))
        try:
            return {"object": [type_name(kind), [[str(n), self.tree(v, depth + 1)] for n, v in attributes.items()]]}
        finally:
            self.around.pop()

    def _record(self, kind: type, names: Any, values: Any, depth: int) -> Any:
        return {"record": [type_name(kind), [[str(n), self.tree(v, depth + 1)] for n, v in zip(names, values)]]}

    def _iterator(self, value: Any, kind: type, depth: int) -> Any:
        items: list[Any] = []
        source = iter(value)
        while len(items) < MAX_ITEMS:
            try:
                item = next(source)
            except StopIteration:
                return {"iterator": [_iterator_name(kind), items, True]}
            except Exception as error:
                return {"iterator": [_iterator_name(kind), items, type_name(type(error))]}
            items.append(self.tree(item, depth + 1))
        return {"iterator": [_iterator_name(kind), items, False]}


_INT = frozenset({int})
_SIZED = frozenset({str, bytes, bytearray})
_ITERATORS = frozenset({types.GeneratorType, map, filter, zip, enumerate, reversed, type({}.values())})

_SPELL: dict[type, Any] = {
    tuple: lambda e, v, d: {"tuple": e._all(v, d)},
    set: lambda e, v, d: {"set": e._unordered(v, d)},
    frozenset: lambda e, v, d: {"frozenset": e._unordered(v, d)},
    dict: lambda e, v, d: {"dict": e._pairs(v, d)},
    collections.OrderedDict: lambda e, v, d: {"dict": e._pairs(v, d)},
    collections.defaultdict: lambda e, v, d: {"dict": e._pairs(v, d)},
    collections.Counter: lambda e, v, d: {"dict": e._pairs(v, d)},
    type({}.keys()): lambda e, v, d: {"set": e._unordered(v, d)},
    type({}.items()): lambda e, v, d: {"set": e._unordered(v, d)},
    collections.deque: lambda e, v, d: {"deque": e._all(v, d)},
    bytes: lambda e, v, d: {"bytes": v.hex()},
    bytearray: lambda e, v, d: {"bytearray": v.hex()},
    complex: lambda e, v, d: {"complex": [v.real, v.imag]},
    range: lambda e, v, d: {"range": [e.tree(n, d) for n in (v.start, v.stop, v.step)]},
    decimal.Decimal: lambda e, v, d: {"decimal": str(v)},
    fractions.Fraction: lambda e, v, d: {"fraction": [e.tree(v.numerator, d), e.tree(v.denominator, d)]},
    datetime.datetime: lambda e, v, d: {"datetime": v.isoformat()},
    datetime.date: lambda e, v, d: {"date": v.isoformat()},
    datetime.time: lambda e, v, d: {"time": v.isoformat()},
    datetime.timedelta: lambda e, v, d: {"timedelta": [v.days, v.seconds, v.microseconds]},
    Source: lambda e, v, d: {"source": v.text},
    Call: lambda e, v, d: {
        "call": [v.callee, e._all(v.positional, d), [[n, e.tree(a, d)] for n, a in v.keyword.items()]]
    },
    Drained: lambda e, v, d: {"iterator": [v.kind, e._all(v.items, d), v.ended]},
}


def _iterator_name(kind: type) -> str:
    return "generator" if kind is types.GeneratorType else "iterator"


def type_name(kind: type) -> str:
    """The class's own name, bounded, whatever its metaclass says."""
    try:
        return str(type.__dict__["__name__"].__get__(kind))[:200]
    except Exception:
        return "object"


# --- text → tree → objects (the parent reads hostile bytes; the worker builds arguments) ----------


def parse(wire: Any) -> Any:
    """The JSON tree of a value's text, str or bytes, checked all through. Raises CodecError for anything else."""
    try:
        tree = json.loads(wire)
        checking.check(tree, 0)
    except (ValueError, TypeError, ArithmeticError, RecursionError) as error:
        raise CodecError("not the text of a value: " + str(error)[:200]) from None
    return tree


def build(tree: Any) -> Any:
    """The object a checked tree stands for. Raises CodecError for what only a program could build (record, opaque)."""
    if isinstance(tree, list):
        return [item if type(item) in PLAIN else build(item) for item in tree]
    if not isinstance(tree, dict):
        return tree
    [(tag, body)] = tree.items()
    make = _BUILD.get(tag)
    if make is None:
        raise CodecError("a value of kind " + tag + " cannot be rebuilt")
    try:
        return make(body)
    except (TypeError, ValueError, ArithmeticError) as error:  # an unhashable member, a zero denominator
        raise CodecError(str(error)) from None


_BUILD: dict[str, Any] = {
    "tuple": lambda b: tuple(build(item) for item in b),
    "set": lambda b: {build(item) for item in b},
    "frozenset": lambda b: frozenset(build(item) for item in b),
    "deque": lambda b: collections.deque(build(item) for item in b),
    "dict": lambda b: {build(key): build(item) for key, item in b},
    "int": lambda b: int(b, 16),
    **LEAVES,
    "source": Source,
    "call": lambda b: Call(b[0], [build(item) for item in b[1]], {name: build(item) for name, item in b[2]}),
}
