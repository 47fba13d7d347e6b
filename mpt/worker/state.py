"""What a call leaves behind in its module: global names and attributes of its classes that it has changed.

They are told as part of what the call did, and put back as importing the module left them, so that no call depends on
the ones before. Looked at are those that the program's text, and what it uses of its module, can reach by name, and
that hold data alone: what a look would change (an iterator), or what is long, is not.
"""

from __future__ import annotations

import ast
import collections
import contextlib
import copy
import enum
import marshal
import types
from collections.abc import Iterator
from typing import Any, NamedTuple, Optional

from mpt.worker import codec

_MAX_BYTES = 1 << 16
"""A longer value is a table, which no function changes."""
_MAX_NODES = 1_000
_DEPTH = 6
_ABSENT = object()
_SCALARS = (type(None), bool, int, float, complex, str, bytes)
_FILLED: dict[type, Any] = {
    list: lambda held, saved: held.__setitem__(slice(None), saved),
    bytearray: lambda held, saved: held.__setitem__(slice(None), saved),
    **dict.fromkeys(
        (dict, set, collections.OrderedDict, collections.defaultdict, collections.Counter),
        lambda held, saved: (held.clear(), held.update(saved)),
    ),
    collections.deque: lambda held, saved: (held.clear(), held.extend(saved)),
}
"""How a container that was changed in place gets back what it held: whoever else holds it finds that too."""
_dumps, _loads = marshal.dumps, marshal.loads  # bound early: a program may replace what the module holds


class _Slot(NamedTuple):
    """A name that may be changed: in a module's names or a class, what it held, and a mark that equal values share."""

    label: str
    owner: Any
    name: str
    held: Any
    mark: object
    saved: Any

    def now(self) -> Any:
        owner = self.owner if type(self.owner) is dict else vars(self.owner)
        return owner.get(self.name, _ABSENT)

    def put_back(self, now: Any) -> None:
        if self.held is not _ABSENT and self.mark != _mark(self.held):
            self._fill(copy.deepcopy(self.saved) if type(self.saved) is not bytes else _loads(self.saved))
        if now is self.held:
            return
        if type(self.owner) is not dict:
            setattr(self.owner, self.name, self.held)
        elif self.held is _ABSENT:
            del self.owner[self.name]
        else:
            self.owner[self.name] = self.held

    def _fill(self, saved: Any) -> None:
        fill = _FILLED.get(type(self.held))
        if fill:
            fill(self.held, saved)
        else:
            self.held.__dict__.clear()
            self.held.__dict__.update(saved.__dict__)


class State:
    """What the program `source` can change; to be made once the program is in its place, and before any call.

    known: the names that the module has had without the program; others are put back, and not told.
    """

    def __init__(
        self, module: str, names: dict[str, Any], source: str, known: frozenset[str], holder: str = ""
    ) -> None:
        self._known = known
        self._slots = list(_slots(module, names, source, holder))

    def changed(self) -> list[tuple[str, str]]:
        """Names, and the texts of what they hold, that are not as they were; they are put back. Never raises."""
        found = []
        for slot in self._slots:
            with contextlib.suppress(Exception):
                now = slot.now()
                if now is slot.held and (type(now) in _SCALARS or _mark(now) == slot.mark):
                    continue
                if (slot.held is _ABSENT or slot.label in self._known) and _mark(now) != slot.mark:
                    found.append((slot.label, codec.encode(None if now is _ABSENT else now)))
                slot.put_back(now)
        return found


def names_known(names: dict[str, Any]) -> frozenset[str]:
    """Of the module, and of its classes' attributes, as they are called here."""
    classes = [(name, value) for name, value in names.items() if isinstance(value, type)]
    return frozenset(names) | {name + "." + attribute for name, cls in classes for attribute in list(vars(cls))}


def _slots(module: str, names: dict[str, Any], source: str, holder: str) -> Iterator[_Slot]:
    tree = ast.parse(source)
    created = {name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names}
    for name in sorted(_reached(module, names, _identifiers(tree) | set(holder.split(".")))):
        value = names.get(name, _ABSENT)
        if isinstance(value, type) and value.__module__ == module:
            for attribute, inner in list(vars(value).items()) if not issubclass(value, enum.Enum) else ():
                if not attribute.startswith("__"):
                    yield from _slot(name + "." + attribute, value, attribute, inner)
        elif value is not _ABSENT or name in created:
            yield from _slot(name, names, name, value)


def _slot(label: str, owner: Any, name: str, value: Any) -> Iterator[_Slot]:
    with contextlib.suppress(Exception):
        mark = _mark(value)
        if type(mark) is bytes and len(mark) <= _MAX_BYTES:
            yield _Slot(label, owner, name, value, mark, mark)
        elif type(mark) is str and len(mark) <= _MAX_BYTES:
            yield _Slot(label, owner, name, value, mark, copy.deepcopy(value))
        elif value is _ABSENT:
            yield _Slot(label, owner, name, value, mark, None)


def _mark(value: Any) -> object:
    """Equal marks, equal values; None for what cannot be looked at without changing it."""
    if value is _ABSENT:
        return _ABSENT
    try:
        return _dumps(value, 2)
    except ValueError:
        return codec.encode(value) if _is_data(value, [0], 0) else None


def _is_data(value: Any, count: list[int], depth: int) -> bool:
    """Is it containers and objects of plain classes, down to scalars?"""
    kind = type(value)
    count[0] += 1
    if count[0] > _MAX_NODES or depth > _DEPTH:
        return False
    if kind in _SCALARS:
        return True
    if isinstance(value, dict) and kind in _FILLED:
        return all(_is_data(one, count, depth + 1) for pair in value.items() for one in pair)
    if kind in _FILLED or kind in (tuple, frozenset):
        return all(_is_data(one, count, depth + 1) for one in value)
    own: Any = getattr(value, "__dict__", None)
    plain = type(own) is dict and kind.__flags__ & (1 << 9) and kind.__basicsize__ <= object.__basicsize__ + 16
    return bool(plain) and all(_is_data(one, count, depth + 1) for one in own.values())


def _identifiers(tree: ast.AST) -> set[str]:
    nodes = list(ast.walk(tree))
    named = {node.id for node in nodes if isinstance(node, ast.Name)}
    named |= {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    return named | {name for node in nodes if isinstance(node, ast.Global) for name in node.names}


def _reached(module: str, names: dict[str, Any], wanted: set[str]) -> set[str]:
    """The names, and those that functions and classes of the module use that these name."""
    found: set[str] = set()
    todo = list(wanted)
    while todo:
        name = todo.pop()
        if name in found:
            continue
        found.add(name)
        value = names.get(name)
        todo += [inner for code in _codes(module, value) for inner in code.co_names]
        todo += [base.__name__ for base in value.__mro__] if isinstance(value, type) else []
    return found


def _codes(module: str, value: Any) -> Iterator[types.CodeType]:
    """Of a function or class of the module, those inside too."""
    if getattr(value, "__module__", None) != module:
        return
    level = list(vars(value).values()) if isinstance(value, type) else [value]
    todo: list[Optional[types.CodeType]] = []
    for one in level:
        for inner in (one, *(getattr(one, name, None) for name in _INSIDE)):
            todo.append(getattr(inner, "__code__", None))
            todo.append(getattr(getattr(inner, "__wrapped__", None), "__code__", None))
    while todo:
        code = todo.pop()
        if type(code) is types.CodeType:
            yield code
            todo += [one for one in code.co_consts if type(one) is types.CodeType]


_INSIDE = ("__func__", "fget", "fset", "fdel", "func")
"""Where descriptors keep their functions."""
