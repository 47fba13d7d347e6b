"""How a person reads values of other packages: on one line, a dtype where the items do not tell it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Spell = Callable[[Any], str]


def _array(body: Any, spell: Spell) -> str:
    dtype, shape, items = body
    parts = [_nested(list(map(spell, items)), shape) if items else "[]"]
    if not items and shape != [0]:
        parts.append(f"shape={_tuple(list(map(str, shape)))}")
    return f"array({', '.join([*parts, *_dtype(dtype, items, 'float64')])})"


def _nested(items: list[str], shape: Sequence[int]) -> str:
    """The items in brackets, as many as there are dimensions; there is at least one item."""
    for length in reversed(shape):
        items = [f"[{', '.join(items[at : at + length])}]" for at in range(0, len(items), length)]
    return items[0]


def _tuple(items: list[str]) -> str:
    return f"({', '.join(items)}{',' if len(items) == 1 else ''})"


_MASKED = {"missing": "masked"}
_TOLD: dict[str, Callable[[Any], bool]] = {
    "int64": lambda item: type(item) is int,
    "float64": lambda item: type(item) is float,
    "bool": lambda item: type(item) is bool,
    "str": lambda item: isinstance(item, str),
    "complex128": lambda item: isinstance(item, dict) and "complex" in item,
}
"""Dtypes that every item tells."""


def _dtype(dtype: Any, items: list[Any], empty: str) -> list[str]:
    """`empty`: the dtype of what has no items."""
    if isinstance(dtype, dict):
        return ["dtype='category'"]
    items = [item for item in items if item != _MASKED]
    told = _TOLD.get("str" if dtype.startswith(("<U", ">U")) else dtype)
    if (told and items and all(map(told, items))) or (not items and dtype == empty):
        return []
    return [f"dtype={dtype}" if dtype.isidentifier() else f"dtype={dtype!r}"]


def _index(body: Any, spell: Spell) -> str:
    kind, names, levels, rhythm = body
    if kind == "MultiIndex":
        rows = [_tuple(list(map(spell, row))) for row in zip(*(items for _, items in levels), strict=True)]
        named = [f"names=[{', '.join(map(spell, names))}]"] if any(name is not None for name in names) else []
        return f"MultiIndex([{', '.join(rows)}]{''.join(', ' + part for part in named)})"
    [[dtype, items]], [name] = levels[:1], names[:1]
    shown = (_range(items) if kind == "RangeIndex" else "") or _list(items, spell)
    parts = [shown, *(_dtype(dtype, items, "object") if kind == "Index" else [])]
    parts += [f"name={spell(name)}"] if name is not None else []
    return f"{kind}({', '.join(parts + ([f'freq={rhythm!r}'] if rhythm else []))})"


def _range(items: list[Any]) -> str:
    """As RangeIndex wants it; empty where it is none."""
    if items == list(range(len(items))):
        return str(len(items))
    if not all(type(item) is int for item in items):
        return ""
    step = items[1] - items[0] if len(items) > 1 else 1
    end = items[-1] + step
    return f"{items[0]}, {end}, {step}" if step and items == list(range(items[0], end, step)) else ""


def _list(items: list[Any], spell: Spell) -> str:
    return f"[{', '.join(map(spell, items))}]"


def _axis(what: str, tree: Any, spell: Spell) -> list[str]:
    """Of a series or frame, where it is not the usual one: the values alone, where that is all there is to it."""
    kind, names, levels, _ = tree["index"]
    dtype, items = levels[0]
    if names == [None] and kind == "RangeIndex" and items == list(range(len(items))):
        return []
    if names == [None] and kind == "Index" and not _dtype(dtype, items, "object"):
        return [f"{what}={_list(items, spell)}"]
    return [f"{what}={_index(tree['index'], spell)}"]


def _series(body: Any, spell: Spell) -> str:
    name, index, dtype, items = body
    named = [f"name={spell(name)}"] if name is not None else []
    parts = [_list(items, spell), *_axis("index", index, spell), *_dtype(dtype, items, "object"), *named]
    return f"Series({', '.join(parts)})"


def _frame(body: Any, spell: Spell) -> str:
    index, names, columns = body
    kind, labels, levels, _ = names["index"]
    keys = [spell(items[0]) if len(items) == 1 else _tuple(list(map(spell, items))) for items in _rows(levels)]
    pairs = [f"{key}: {_column(dtype, items, spell)}" for key, (dtype, items) in zip(keys, columns, strict=True)]
    named = labels != [None] or kind not in ("Index", "RangeIndex", "MultiIndex")
    parts = ["{" + ", ".join(pairs) + "}", *_axis("index", index, spell)]
    return f"DataFrame({', '.join(parts + (_axis('columns', names, spell) if named else []))})"


def _rows(levels: Any) -> Any:
    return zip(*(items for _, items in levels), strict=True)


def _column(dtype: Any, items: list[Any], spell: Spell) -> str:
    told = _dtype(dtype, items, "object")
    return f"Series({', '.join([_list(items, spell), *told])})" if told else _list(items, spell)


def _span(body: Any, spell: Spell) -> str:
    number, unit = body
    return f"timedelta64({number})" if unit == "generic" else f"timedelta64({number}, {unit!r})"


SPELL: dict[str, Callable[[Any, Spell], str]] = {
    "array": _array,
    "index": _index,
    "series": _series,
    "frame": _frame,
    "extension": lambda body, spell: f"array({', '.join([_list(body[1], spell), *_dtype(body[0], body[1], '')])})",
    "category": lambda body, spell: f"CategoricalDtype({_index(body[0]['index'], spell)}, ordered={body[1]})",
    "datetime64": lambda body, spell: f"datetime64({body!r})",
    "timedelta64": _span,
    "missing": lambda body, spell: str(body),
}
"""By tag: the body, and what spells the values inside."""
