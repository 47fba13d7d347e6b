"""Objects of classes of which only the imported module knows how they are made: signatures are looked at, in the wall.

`an_object(name, *pool)`: one of the class of that name, as the module or its package calls it; of a class that derives
from it where it is abstract. `with_attributes(names, *pool)`: one of a class of the module that has all those.
pool: what it may be made of: two ints, a str, a list, a bool, and a number that says which of several ways is taken.
"""

from __future__ import annotations

import collections.abc
import enum
import inspect
import re
import sys
import typing
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from mpt.worker import abstract

_DEPTH = 3
_NUMBERS = frozenset(
    (
        *("n", "i", "j", "k", "x", "y", "z", "size", "count", "limit", "index", "length", "width", "height"),
        *("start", "stop", "end", "begin", "step", "depth", "lineno"),
    )
)
_TEXTS = frozenset(("name", "text", "key", "label", "title", "source", "filename", "message", "path", "string", "word"))
_MANY = frozenset(("args", "items", "values", "nodes", "names", "children", "elements", "members", "body", "lines"))


class Unlikely(Exception):
    """No such class, or none of its ways to be made is understood."""


class Likely:
    """Makes objects with what the names of one module lead to."""

    def __init__(self, names: Mapping[str, Any], own: str = "") -> None:
        """own: the member of a class that is judged."""
        self._names = names
        self.own = own
        self._package = str(names.get("__name__", "")).partition(".")[0]
        self._known: dict[str, Any] = {}

    def an_object(self, name: str, *pool: Any) -> Any:
        """Raises Unlikely, and whatever making it raises."""
        return _Making(self, pool).of(self.named(name), 0)

    def with_attributes(self, names: str, *pool: Any) -> Any:
        """Raises Unlikely, and whatever making it raises."""
        fitting = self._once("." + names, lambda: self._fitting(frozenset(names.split())))
        if not fitting:
            raise Unlikely("no class with " + names)
        return _Making(self, pool).of(fitting[pool[-1] % len(fitting)], 0)

    def _fitting(self, wanted: frozenset[str]) -> list[type]:
        return [cls for cls in self._classes() if wanted <= _attributes(cls)]

    def _once(self, key: str, find: Callable[[], Any]) -> Any:
        """What is searched through many modules for, searched once."""
        if key not in self._known:
            self._known[key] = find()
        return self._known[key]

    def named(self, name: str) -> Any:
        """What the name stands for: in the module, else in another of its package. Raises Unlikely."""
        found: Any = self._names
        for part in name.split("."):
            found = found.get(part) if found is self._names else getattr(found, part, None)
        if found is not None:
            return found
        last = name.rpartition(".")[2]
        for module in self._modules():
            if isinstance(module.get(last), type):
                return module[last]
        raise Unlikely("there is no " + name)

    def class_like(self, parameter: str) -> Any:
        """The class that a parameter is named for (`old_node`: Node), None where there is none."""
        return self._once(parameter, lambda: self._class_like(parameter))

    def _class_like(self, parameter: str) -> Any:
        words = parameter.lower().strip("_").split("_")
        ends = ["".join(words[at:]) for at in range(len(words))]
        return next((cls for end in ends for cls in self._classes() if cls.__name__.lower() == end), None)

    def _classes(self) -> Iterator[type]:
        """Of the module, then of its package; each once."""
        seen = set()
        for module in self._modules():
            for one in list(module.values()):
                if isinstance(one, type) and one not in seen and one.__module__.partition(".")[0] == self._package:
                    seen.add(one)
                    yield one

    def _modules(self) -> Iterator[Mapping[str, Any]]:
        yield self._names
        for name, module in sorted(sys.modules.items()):
            if name.partition(".")[0] == self._package and vars(module) is not self._names:
                yield vars(module)


def _attributes(cls: type) -> frozenset[str]:
    """What its objects have: what the class has, and what its methods assign to."""
    found = set(dir(cls)) | set(getattr(cls, "__annotations__", ()))
    for base in cls.__mro__:
        maker = base.__dict__.get("__init__")
        found.update(getattr(getattr(maker, "__code__", None), "co_names", ()))
    return frozenset(found)


class _Making:
    """One object in the making. pool: see above."""

    def __init__(self, likely: Likely, pool: tuple[Any, ...]) -> None:
        self.likely = likely
        self.ints, self.text, self.many, self.flag, self.way = list(pool[:2]), pool[2], pool[3], pool[4], pool[5]
        self.taken = 0

    def of(self, cls: Any, depth: int) -> Any:
        """An object of the class or of what an annotation says. Raises Unlikely."""
        if not isinstance(cls, type) or cls in _SIMPLE or typing.get_origin(cls):
            return self.as_annotated(cls, depth)
        if depth > _DEPTH:
            raise Unlikely("too deep")
        if issubclass(cls, enum.Enum):
            members = list(cls)
            return members[self.way % len(members)]
        cls = _concrete(cls, self.way, self.likely.own)
        try:
            parameters = list(inspect.signature(cls).parameters.values())
        except ValueError:
            return cls()
        positional: list[Any] = []
        keyword: dict[str, Any] = {}
        for one in parameters:
            if one.default is not one.empty or one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD):
                continue
            if one.kind is one.KEYWORD_ONLY:
                keyword[one.name] = self.argument(one, depth)
            else:
                positional.append(self.argument(one, depth))
        return cls(*positional, **keyword)

    def argument(self, one: inspect.Parameter, depth: int) -> Any:
        if one.annotation is not one.empty:
            return self.as_annotated(one.annotation, depth)
        cls = self.likely.class_like(one.name)
        if cls is not None:
            return self.of(cls, depth + 1)
        if one.name in _NUMBERS:
            return self.number()
        if one.name in _TEXTS:
            return self.text
        if one.name in _MANY:
            return list(self.many)
        return self.any()

    def number(self) -> Any:
        self.taken += 1
        return self.ints[self.taken % 2]

    def any(self) -> Any:
        """For what nothing is known of; one way, one kind."""
        ways: list[Callable[[], Any]] = [
            *(
                self.number,
                lambda: self.text,
                lambda: list(self.many),
                lambda: None,
                lambda: {self.text: self.number()},
            ),
            lambda: lambda *a, **k: a[0] if a else None,
        ]
        return ways[self.way % len(ways)]()

    def as_annotated(self, annotation: Any, depth: int) -> Any:
        """A value for an annotation, text or object. Raises Unlikely."""
        if isinstance(annotation, str):
            return self._as_text(annotation.strip().strip("'\""), depth)
        if annotation is None or annotation is type(None):
            return None
        choices = typing.get_args(annotation)
        origin = typing.get_origin(annotation)
        if origin is typing.Union or type(annotation).__name__ == "UnionType":
            return self.as_annotated(choices[self.way % len(choices)], depth)
        if origin is typing.Literal:
            return choices[self.way % len(choices)]
        plain = origin or annotation
        if plain in _SIMPLE:
            return _SIMPLE[plain](self)
        if isinstance(plain, type):
            return self.of(plain, depth + 1)
        return self.any()

    def _as_text(self, text: str, depth: int) -> Any:
        choices = [one.strip() for one in re.split(r"\|(?![^\[]*\])", text)]
        optional = re.fullmatch(r"(?:\w+\.)?(?:Optional|Union)\[(.*)\]", text)
        if optional:
            choices = [one.strip() for one in re.split(r",(?![^\[]*\])", optional[1])]
        outer = choices[self.way % len(choices)].partition("[")[0]
        last = outer.rpartition(".")[2].strip("'\"")
        if last in _SPOKEN:
            return _SIMPLE[_SPOKEN[last]](self)
        if last in ("None", "Any", "object"):
            return None if last == "None" else self.any()
        return self.of(self.likely.named(outer.strip("'\"")), depth + 1)


def _concrete(cls: type, way: int, own: str) -> type:
    """The class, or where it is abstract one that derives from it and leaves the member `own` alone."""
    if not abstract.is_abstract(cls):
        return cls
    below = [one for one in _below(cls) if own not in vars(one)]
    return below[way % len(below)] if below else abstract.concrete(cls, own)


def _below(cls: type) -> Iterator[type]:
    found: list[type] = cls.__subclasses__()
    for one in found:
        if not abstract.is_abstract(one):
            yield one
        yield from _below(one)


_SIMPLE: dict[Any, Callable[[_Making], Any]] = {
    int: lambda m: m.number(),
    float: lambda m: m.number() / 2,
    complex: lambda m: complex(m.number()),
    str: lambda m: m.text,
    bytes: lambda m: m.text.encode(),
    bool: lambda m: m.flag,
    list: lambda m: list(m.many),
    tuple: lambda m: tuple(m.many),
    set: lambda m: set(m.many),
    frozenset: lambda m: frozenset(m.many),
    dict: lambda m: {m.text: m.number()},
    object: lambda m: m.any(),
    typing.Any: lambda m: m.any(),
    collections.abc.Sequence: lambda m: list(m.many),
    collections.abc.Iterable: lambda m: list(m.many),
    collections.abc.Iterator: lambda m: iter(list(m.many)),
    collections.abc.Collection: lambda m: list(m.many),
    collections.abc.Mapping: lambda m: {m.text: m.number()},
    collections.abc.MutableMapping: lambda m: {m.text: m.number()},
    collections.abc.Set: lambda m: set(m.many),
    collections.abc.Callable: lambda m: lambda *a, **k: a[0] if a else None,
}
_KINDS: tuple[Any, ...] = (int, float, complex, str, bytes, bool, list, tuple, set, frozenset, dict)
_SPOKEN: dict[str, Any] = {
    **{kind.__name__: kind for kind in _KINDS},
    "List": list,
    "Tuple": tuple,
    "Set": set,
    "FrozenSet": frozenset,
    "Dict": dict,
    **{name: getattr(collections.abc, name) for name in ("Sequence", "Iterable", "Iterator", "Collection")},
    **{name: getattr(collections.abc, name) for name in ("Mapping", "MutableMapping", "Callable")},
}
