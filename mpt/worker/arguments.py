"""Arguments that only the program's module can make: Python text it reads, objects made by calling its classes."""

from __future__ import annotations

import contextlib
import copy
import importlib
import sys
import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mpt.worker import abstract, codec
from mpt.worker.likely import Likely

_LENT = frozenset(
    (
        *("collections", "datetime", "decimal", "fractions", "functools", "importlib", "io", "itertools", "math"),
        *("operator", "pathlib", "random", "re", "string", "uuid", "zoneinfo"),
        *("networkx", "numpy", "pandas"),
    )
)
"""Modules that such text may name without the program's module having imported them."""


UNMAKEABLE = "an input cannot be rebuilt: "
"""How the reason begins where a call is not made."""


class Unmakeable(Exception):
    """An argument cannot be made: what was tried, and what came of it."""


class Maker:
    """Makes arguments with the names of one module.

    own: the member of a class that is judged. modules: of types that plugins tell of, which texts may name too.
    before: what is called before anything is made.
    """

    def __init__(
        self,
        names: Mapping[str, Any],
        own: str = "",
        modules: Sequence[str] = (),
        before: Callable[[], None] = lambda: None,
    ) -> None:
        self._before = before
        self._names = _Names(names, own, modules)
        self._own = own
        self._concrete: dict[type, type] = {}

    def all(self, values: list[Any]) -> list[Any]:
        return [self.made(value) for value in values]

    def made(self, value: Any) -> Any:
        """The value with what it holds made, in containers too. Raises Unmakeable."""
        kind = type(value)
        if kind is codec.Source:
            return self._read(value.text)
        if kind is codec.Call:
            keyword = {name: self.made(item) for name, item in value.keyword.items()}
            return self._called(value.callee, self.all(value.positional), keyword)
        if kind in (list, set, tuple, frozenset):
            return kind(self.all(list(value)))
        if kind is dict:
            return {self.made(key): self.made(item) for key, item in value.items()}
        return value

    def _read(self, text: str) -> Any:
        return self._used(text, text, lambda value: value)

    def _called(self, callee: str, positional: list[Any], keyword: dict[str, Any]) -> Any:
        called = callee + "(…)"
        return self._used(callee, called, lambda function: self._concretely(function)(*positional, **keyword))

    def _used(self, text: str, shown: str, use: Callable[[Any], Any]) -> Any:
        """What `use` makes of what the text stands for; where the module calls something else by a module's name (`from
        datetime import datetime`) and that will not do, the text may have meant the module."""
        try:
            self._before()
            return use(eval(text, self._names))
        except Exception as error:
            root = text.partition(".")[0]
            if root in _LENT and not isinstance(self._names.module.get(root, sys), types.ModuleType):
                with contextlib.suppress(Exception):
                    return use(eval(text, self._names.without(root)))
            raise Unmakeable(_told(shown, error)) from None

    def _concretely(self, function: Any) -> Any:
        if isinstance(function, type) and issubclass(function, type):
            return lambda *rest, **keyword: function(
                *(rest or ("Made", (), {})), **keyword
            )  # an object of it is a class
        return self._below(function) if abstract.is_abstract(function) else function

    def _below(self, cls: type) -> type:
        if cls not in self._concrete:
            self._concrete[cls] = abstract.concrete(cls, self._own)
        return self._concrete[cls]


def _told(text: str, error: Exception) -> str:
    try:
        message = " ".join(str.__str__(str(error)).split())[:80]
    except Exception:
        message = ""
    return text[:80] + " raises " + codec.type_name(type(error)) + (": " + message if message else "")


class _Names(dict):  # type: ignore[type-arg]
    """The module's names; where it has none of that name, modules it may not have imported, `mpt.worker.likely`."""

    def __init__(self, names: Mapping[str, Any], own: str, modules: Sequence[str]) -> None:
        super().__init__()
        self.module = names
        self._modules = modules
        self._likely = Likely(names, own)
        self._hidden = ""

    def without(self, name: str) -> _Names:
        """The same, but that name of the module's."""
        others = copy.copy(self)
        others._hidden = name
        return others

    def __missing__(self, name: str) -> Any:
        if name in self.module and name != self._hidden:
            return self.module[name]
        if name in ("an_object", "with_attributes"):
            return getattr(self._likely, name)
        lent = [module for module in (*_LENT, *self._modules) if module.partition(".")[0] == name]
        for module in lent:
            importlib.import_module(module)
        if not lent:
            raise KeyError(name)
        return sys.modules[name]
