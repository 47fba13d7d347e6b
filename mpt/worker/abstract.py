"""Objects of a class that is abstract: of a class below it, made here, whose missing members give plain values."""

from __future__ import annotations

import sys
import types
from typing import Any, Optional

_ABSTRACT = 1 << 20
"""Py_TPFLAGS_IS_ABSTRACT."""
_PLAIN: dict[str, Any] = {
    "int": 2,
    "float": 1.5,
    "str": "ab",
    "bytes": b"ab",
    "bool": True,
    "list": [1, 2],
    "tuple": (1, 2),
    "dict": {"a": 1},
    "set": {1, 2},
    "Sequence": [1, 2],
    "Iterable": [1, 2],
    "Iterator": (1, 2),
    "Mapping": {"a": 1},
}
"""What a member gives, by the name that its annotation begins with."""


def is_abstract(cls: Any) -> bool:
    """Can the class itself not be called?"""
    return isinstance(cls, type) and bool(cls.__flags__ & _ABSTRACT or vars(cls).get("_is_protocol"))


def concrete(cls: type, own: str) -> type:
    """A class below `cls`, called alike, that can be. own: a member that is judged, and stays as it is."""
    missing = set(getattr(cls, "__abstractmethods__", ())) | _announced(cls)
    names = {name: _stand_in(cls, name) for name in sorted(missing) if name != own}
    made: Any = types.new_class(cls.__name__, (cls,), {}, lambda space: space.update(names, __module__=cls.__module__))
    made.__abstractmethods__ = frozenset()
    return made  # type: ignore[no-any-return]


def _announced(cls: type) -> set[str]:
    """Attributes that a protocol only annotates."""
    if not vars(cls).get("_is_protocol"):
        return set()
    return {name for name in vars(cls).get("__annotations__", {}) if not hasattr(cls, name)}


def _stand_in(cls: type, name: str) -> Any:
    member = getattr(cls, name, None)
    function = getattr(member, "fget", None) or getattr(member, "__func__", None) or member
    below = _below(cls, name)
    value = _value(cls, name, function)
    if value is None and below is not None:
        return below
    if isinstance(member, property):
        return property(lambda self: value)
    return (lambda self, *positional, **keyword: value) if callable(function) else value


def _value(cls: type, name: str, function: Any) -> Any:
    """What the member's annotation promises; None where that is not known."""
    annotations = getattr(function, "__annotations__", {}) if callable(function) else {}
    said = annotations.get("return", vars(cls).get("__annotations__", {}).get(name))
    text = said if isinstance(said, str) else getattr(said, "__name__", str(said))
    first = text.partition("[")[0].rpartition(".")[2].strip()
    return iter(_PLAIN[first]) if first == "Iterator" else _PLAIN.get(first)


def _below(cls: type, name: str) -> Optional[Any]:
    """The member as a class of the same module that derives from `cls` has it."""
    module = sys.modules.get(cls.__module__)
    for one in list(vars(module).values()) if module else ():
        if isinstance(one, type) and one is not cls and cls in one.__mro__ and name in vars(one):
            found = vars(one)[name]
            if not getattr(found, "__isabstractmethod__", False):
                return found
    return None
