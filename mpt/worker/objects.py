"""What an object of a class written in Python holds: its attributes, where nothing else is hidden in it."""

from __future__ import annotations

import types
from typing import Any, Optional

_HEAP_TYPE = 1 << 9
_POINTER = tuple.__itemsize__
_BASES: dict[type, str] = {kind: kind.__name__ for kind in (list, dict, str, int, float, tuple, set, frozenset, bytes)}
"""What a class may derive from and hold besides its attributes: under that name stands what the base sees."""


def attributes(value: Any) -> Optional[dict[str, Any]]:
    """By name, sorted; None where the object holds more than can be seen. May raise what hostile values raise."""
    kind = type(value)
    solid = next(base for base in kind.__mro__ if not base.__flags__ & _HEAP_TYPE)
    slots = [name for base in kind.__mro__ for name in _slots(base)]
    if (kind is solid and not issubclass(kind, BaseException)) or not _is_known(solid):
        return None
    if kind.__basicsize__ > solid.__basicsize__ + _POINTER * (len(slots) + 2):
        return None
    found = {name: getattr(value, name) for name in slots if hasattr(value, name)}
    own = getattr(value, "__dict__", None)
    found.update(own if type(own) is dict else {})
    if solid in _BASES:
        found[_BASES[solid]] = solid(value)
    if issubclass(solid, BaseException):
        found["args"] = value.args
    return dict(sorted(found.items()))


def _is_known(solid: type) -> bool:
    return solid is object or solid in _BASES or issubclass(solid, BaseException)


def _slots(kind: type) -> list[str]:
    slots = kind.__dict__.get("__slots__", ())
    names = [slots] if isinstance(slots, str) else list(slots)
    return [name for name in names if name not in ("__dict__", "__weakref__")]


_FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.MethodDescriptorType)


def name_of(function: Any) -> str:
    """Where a function of a module or class is found; empty for one that a call made, and for what is no function."""
    if not isinstance(function, _FUNCTIONS) or "<" in function.__qualname__:
        return ""
    module = getattr(function, "__module__", None)
    return (str(module) + "." if module else "") + str(function.__qualname__)
