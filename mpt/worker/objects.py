"""What an object of a class written in Python holds: its attributes, where nothing else is hidden in it."""

from __future__ import annotations

import types
from collections.abc import Mapping, Sequence, Set
from typing import Any, Optional

_HEAP_TYPE = 1 << 9
_MAX_CONTENTS = 100_000
_POINTER = tuple.__itemsize__
_BASES: dict[type, str] = {kind: kind.__name__ for kind in (list, dict, str, int, float, tuple, set, frozenset, bytes)}
"""What a class may derive from and hold besides its attributes: under that name stands what the base sees."""


def attributes(value: Any) -> Optional[dict[str, Any]]:
    """By name, sorted; None where the object holds more than can be seen. May raise what hostile values raise."""
    kind = type(value)
    solid = next(base for base in kind.__mro__ if not base.__flags__ & _HEAP_TYPE)
    slots = {name: member for base in kind.__mro__ for name, member in _slots(base)}
    if (kind is solid and not issubclass(kind, BaseException)) or not _is_known(solid):
        return None
    if kind.__basicsize__ > solid.__basicsize__ + _POINTER * (len(slots) + 2):
        return None
    found = {name: member.__get__(value) for name, member in slots.items() if _is_set(member, value)}
    own = _own(value)
    found.update(own if type(own) is dict else {})
    if solid in _BASES:
        found[_BASES[solid]] = solid(value)
    if issubclass(solid, BaseException):
        found["args"] = value.args
    return {name: found[name] for name in sorted(found) if not _is_own_hash(value, name, found[name])}


def contents(value: Any) -> Optional[dict[str, Any]]:
    """Of a container written in C, what it holds; None of anything else. May raise what hostile values raise."""
    if isinstance(value, Mapping):
        return {"dict": dict(value.items())}
    if isinstance(value, Set):
        return {"set": frozenset(value)}
    if isinstance(value, Sequence) and len(value) <= _MAX_CONTENTS:
        return {"list": list(value)}
    return None


def _is_own_hash(value: Any, name: str, held: Any) -> bool:
    """Does it keep its hash there? That is another in every process."""
    return "hash" in name.lower() and type(held) is int and hash(value) == held


def _is_known(solid: type) -> bool:
    return solid is object or solid in _BASES or issubclass(solid, BaseException)


def _slots(kind: type) -> list[tuple[str, Any]]:
    """By what stands for them in the class: its `__slots__` may be gone, and spells private names otherwise."""
    if not kind.__flags__ & _HEAP_TYPE:
        return []
    return [(name, one) for name, one in vars(kind).items() if type(one) is types.MemberDescriptorType]


def _is_set(member: Any, value: Any) -> bool:
    try:
        member.__get__(value)
    except AttributeError:
        return False
    return True


def _own(value: Any) -> Any:
    """Its own attributes, past a `__getattr__` of its class; None where it has none."""
    try:
        return object.__getattribute__(value, "__dict__")
    except AttributeError:
        return None


_FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.MethodDescriptorType)


def name_of(function: Any) -> str:
    """Where a function of a module or class is found; empty for one that a call made, and for what is no function."""
    if not isinstance(function, _FUNCTIONS) or "<" in function.__qualname__:
        return ""
    module = getattr(function, "__module__", None)
    return (str(module) + "." if module else "") + str(function.__qualname__)
