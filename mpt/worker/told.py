"""Types that plugins tell of: what makes plain data of a value of theirs, read from its source text."""

from __future__ import annotations
import __future__

import sys
import types
from collections.abc import Callable
from typing import Any, NamedTuple

_FLAGS = __future__.annotations.compiler_flag
_BOUND = 200


class Told(NamedTuple):
    """name: the class's full name. tell: makes data of a value of it."""

    name: str
    tell: Callable[[Any], Any]

    def holds(self, value: Any) -> bool:
        """Is it one of those, where the class's module has been imported? May raise what hostile values raise."""
        kind = _found(self.name.split("."))
        return isinstance(kind, type) and isinstance(value, kind)


def _found(parts: list[str]) -> Any:
    for count in range(len(parts) - 1, 0, -1):
        found: Any = sys.modules.get(".".join(parts[:count]))
        if found is not None:
            for part in parts[count:]:
                found = getattr(found, part, None)
            return found
    return None


def read(asked: list[list[str]]) -> tuple[list[Told], list[str]]:
    """asked: names and source texts. What can be read, and a sentence for each that cannot."""
    told: list[Told] = []
    problems: list[str] = []
    for name, source in asked:
        try:
            told.append(Told(name, _function(source)))
        except Exception as error:
            why = (type(error).__name__ + ": " + str(error))[:_BOUND]
            problems.append("values of " + name + " cannot be told as data on this Python (" + why + ")")
    return told, problems


def _function(source: str) -> Callable[[Any], Any]:
    """Annotations stand for nothing: what they name need not be there."""
    names: dict[str, Any] = {}
    exec(compile(source, "<mpt.types>", "exec", _FLAGS, dont_inherit=True), names)
    return next(one for one in names.values() if isinstance(one, types.FunctionType))
