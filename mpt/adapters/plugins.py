"""The types that other packages tell mpt about: entry points of the group `mpt.types` in the environment mpt runs in.

One that is broken is named with what to do, and set aside; it never stops a check.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import symtable
import textwrap
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.metadata import EntryPoint, entry_points

from mpt.types.known import OURS
from mpt.values import ForeignType, Shape

GROUP = "mpt.types"
_TOLD = 200


@dataclass(frozen=True, slots=True)
class Plugins:
    """types: those that can be used, by name. problems: a line for each that cannot."""

    types: tuple[ForeignType, ...] = ()
    problems: tuple[str, ...] = ()


class _Broken(Exception):
    """What is wrong with an entry point, and what to do, as the end of a sentence."""


def load() -> Plugins:
    """All of the environment. What the plugins' own modules do when they are imported is theirs."""
    found = sorted(entry_points(group=GROUP), key=lambda one: (_distribution(one), one.name))
    types: list[tuple[ForeignType, EntryPoint]] = []
    problems: list[str] = []
    for entry in found:
        try:
            types += [(_checked(one), entry) for one in _loaded(entry)]
        except _Broken as problem:
            problems.append(_line(entry, str(problem)))
    times = Counter(one.name for one, _ in types)
    for one, entry in types:
        if times[one.name] > 1:
            others = sorted({_distribution(other) for same, other in types if same.name == one.name})
            problems.append(
                _line(entry, f"{one.name} is told of {times[one.name]} times, by {', '.join(others)}: keep one")
            )
    kept = sorted((one for one, _ in types if times[one.name] == 1), key=lambda one: one.name)
    return Plugins(tuple(kept), tuple(dict.fromkeys(problems)))


def _distribution(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else "an unknown distribution"


def _line(entry: EntryPoint, problem: str) -> str:
    text = f"{_distribution(entry)}: its entry point {entry.name!r} ({GROUP}) is not used: {problem}"
    return " ".join(text.split())


def _loaded(entry: EntryPoint) -> list[ForeignType]:
    """One or several."""
    try:
        value = entry.load()
    except (Exception, SystemExit) as error:
        told = f"{type(error).__name__}: {error}"[:_TOLD]
        raise _Broken(f"{entry.value} cannot be loaded ({told}); mend or uninstall it") from None
    several = list(value) if isinstance(value, list | tuple) else [value]
    for one in several:
        if not isinstance(one, ForeignType):
            raise _Broken(f"{entry.value} is a {type(one).__name__}, not a mpt.types.ForeignType nor a list of them")
    return several


def _checked(one: ForeignType) -> ForeignType:
    """With the source texts of its functions. Raises _Broken."""
    parts = one.name.split(".") if isinstance(one.name, str) else []
    if len(parts) < 2 or not all(part.isidentifier() for part in parts):
        raise _Broken(f"name is a class's module and name, like 'shapely.geometry.Point', not {one.name!r}")
    if one.name in {ours.name for ours in OURS}:
        raise _Broken(f"mpt knows {one.name} itself; remove it")
    if not isinstance(one.makes, Shape):
        _check_texts(one)
    if one.same is not None and not callable(one.same):
        raise _Broken(f"same of {one.name} is no function of two data")
    return replace(one, source=_source(one), rule=_rule(one.same))


def _check_texts(one: ForeignType) -> None:
    if not isinstance(one.makes, tuple) or not one.makes or not all(isinstance(text, str) for text in one.makes):
        raise _Broken(f"makes of {one.name} is a tuple of Python texts, at least one, or a Shape")
    for text in one.makes:
        try:
            ast.parse(text, mode="eval")
        except (SyntaxError, ValueError):
            raise _Broken(f"makes of {one.name} holds {text!r}, which is no Python expression") from None


def _source(one: ForeignType) -> str:
    """Of `data`, empty where there is none: a function that stands alone."""
    if one.data is None:
        return ""
    what = f"data of {one.name}"
    if not inspect.isfunction(one.data):
        raise _Broken(f"{what} is no function written in Python")
    try:
        text = textwrap.dedent(inspect.getsource(one.data))
        tree = ast.parse(text).body
    except (OSError, SyntaxError):
        raise _Broken(f"{what} has no source text that can be had; define it with def in a module's file") from None
    if len(tree) != 1 or not isinstance(tree[0], ast.FunctionDef) or tree[0].decorator_list:
        raise _Broken(f"{what} is not a function of its own; define it with def, without decorators")
    if needed := sorted(_needed(symtable.symtable(text, "data", "exec")) - {tree[0].name}):
        raise _Broken(f"{what} uses {', '.join(needed)} from outside of it; it must import or define that itself")
    return text


def _needed(table: symtable.SymbolTable) -> set[str]:
    """Names that functions in the text use and do not define, builtins apart; what annotations name is not used."""
    own = {one.get_name() for one in table.get_symbols() if one.is_global() and one.is_referenced()}
    inner = (_needed(child) for child in table.get_children() if child.get_type() != "annotation")
    mine = own if table.get_type() != "module" else set()
    return mine.union(*inner) - set(dir(builtins))


def _rule(same: Callable[..., object] | None) -> str:
    """Its text, which stands for it among keys."""
    if same is None:
        return ""
    try:
        return inspect.getsource(same)
    except (OSError, TypeError):
        return repr(getattr(same, "__qualname__", same))
