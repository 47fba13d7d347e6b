"""Imports that a program of a language model forgot, for the names that Python's own library gives.

A paraphrase program without its imports is no other reading of the docstring. The target is never mended so.
"""

from __future__ import annotations

import ast
import importlib

from mpt.source import names
from mpt.source.syntax import Text
from mpt.source.toplevel import read_module

_GIVERS = (
    *("typing", "collections", "itertools", "functools", "math", "heapq", "bisect", "dataclasses", "datetime"),
    *("decimal", "fractions", "statistics"),
)
"""Where a name by itself is looked for, in this order."""
_MODULES = frozenset(
    (
        *_GIVERS,
        *("abc", "array", "asyncio", "base64", "calendar", "contextlib", "copy", "enum", "hashlib", "html", "inspect"),
        *("io", "json", "logging", "numbers", "operator", "os", "pathlib", "random", "re", "string", "struct", "sys"),
        *("textwrap", "time", "types", "unicodedata", "uuid", "warnings", "weakref", "zlib", "zoneinfo"),
    )
)
"""What is imported as a whole where an attribute of that name is used."""
_NICKNAMES = {"np": "numpy", "pd": "pandas"}


def forgotten_imports(code: str, around: str) -> str:
    """Import statements, a line each, for what `code` needs, and neither itself nor the text around it binds."""
    missing = names.missing(names.statements([code])) - read_module(Text(around)).pool.binders.keys()
    used = _attributes(code) if missing else {}
    return "".join(line for name in sorted(missing) if (line := _import_of(name, used.get(name, set()))))


def _attributes(code: str) -> dict[str, set[str]]:
    """By name: the attributes of it that are used."""
    used: dict[str, set[str]] = {}
    for node in ast.walk(names.parse(code)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            used.setdefault(node.value.id, set()).add(node.attr)
    return used


def _import_of(name: str, attributes: set[str]) -> str:
    if name in _NICKNAMES:
        return f"import {_NICKNAMES[name]} as {name}\n"
    if attributes and name in _MODULES and all(hasattr(importlib.import_module(name), one) for one in attributes):
        return f"import {name}\n"
    giver = next((module for module in _GIVERS if len(name) > 1 and name in _public(module)), None)
    return f"from {giver} import {name}\n" if giver else ""


def _public(module: str) -> frozenset[str]:
    loaded = importlib.import_module(module)
    return frozenset(getattr(loaded, "__all__", None) or (name for name in vars(loaded) if not name.startswith("_")))
