"""Values as people read them and as they write them: `mpt.values.Value` ↔ Python literal text.

`literal` spells a Value as Python source that evaluates to it wherever that is possible ("float('nan')",
"frozenset({1})", "Decimal('1.2')", "<generator 1, 2, …>" where it is not). `value_of` is for our own objects:
arguments read from a docstring, never an object a program made.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from mpt.types import showing
from mpt.values import Arguments, Opaque, Outcome, Raised, Returned, Stopped, Value
from mpt.worker import codec


def value_of(obj: object) -> Value:
    """Our own object as a Value."""
    return Value(codec.encode(obj))


def literal(value: Value) -> str:
    """The value as a Python literal, on one line."""
    return _spell(codec.parse(value.wire))


def call(name: str, arguments: Arguments) -> str:
    """The call as Python text: `add([1, 2], 0, key=1)`."""
    positional = [literal(value) for value in arguments.positional]
    keyword = [f"{key}={literal(value)}" for key, value in arguments.keyword]
    return f"{name}({', '.join(positional + keyword)})"


def outcome(seen: Outcome) -> str:
    """What a program did, as people read it: "[1]", "raises ValueError", "did not end (time)", "could not run"."""
    match seen:
        case Returned(value):
            return literal(value)
        case Raised(type_name):
            return f"raises {type_name}"
        case Stopped("load", detail):
            return f"could not run ({detail})" if detail else "could not run"
        case Stopped(cause):
            return f"did not end ({cause})"
        case Opaque(type_name):
            return f"<{type_name}>"


def outcomes(seen: Sequence[Outcome]) -> list[str]:
    """What several programs did on one input: each as `outcome` spells it, with what the call left behind where the
    first one's text is another's too, although they differ."""
    plain = list(map(outcome, seen))
    alike = any(text == plain[0] and one != seen[0] for text, one in zip(plain[1:], seen[1:], strict=True))
    return list(map(_with_effects, seen)) if alike else plain


def _with_effects(seen: Outcome) -> str:
    """`None, leaving Box(w=3), COUNT=5`."""
    left = [*map(literal, seen.arguments_after), *_names(seen.state_after)] if isinstance(seen, Returned) else []
    return ", leaving ".join(filter(None, (outcome(seen), ", ".join(left))))


def _names(state: Sequence[tuple[str, Value]]) -> list[str]:
    return [f"{name}={literal(value)}" for name, value in state]


def _spell(tree: Any) -> str:
    if isinstance(tree, float) and not math.isfinite(tree):
        return f"float('{tree}')"
    if isinstance(tree, list):
        return "[" + ", ".join(map(_spell, tree)) + "]"
    if not isinstance(tree, dict):
        return repr(tree)
    [(tag, body)] = tree.items()
    return _SPELL[tag](body)


def _members(opening: str, closing: str, empty: str) -> Any:
    return lambda body: opening + ", ".join(map(_spell, body)) + closing if body else empty


def _fields(body: Any) -> str:
    name, pairs = body
    return f"{name}({', '.join(f'{key}={_spell(item)}' for key, item in pairs)})"


def _iterator(body: Any) -> str:
    kind, items, ended = body
    shown = [*map(_spell, items), *_END.get(ended, [f"raises {ended}"])]
    return f"<{kind} {', '.join(shown)}>" if shown else f"<empty {kind}>"


_END: dict[Any, list[str]] = {True: [], False: ["…"]}


def _call(body: Any) -> str:
    callee, positional, keyword = body
    return f"{callee}({', '.join([*map(_spell, positional), *(f'{name}={_spell(item)}' for name, item in keyword)])})"


def _numbers(name: str) -> Any:
    return lambda body: f"{name}({', '.join(map(_spell, body))})"


def _text(name: str) -> Any:
    return lambda body: f"{name}({body!r})"


def _plugged(name: str, tree: Any) -> str:
    """Of a plugin's type: what that tells, as if the class were called with it."""
    tag = next(iter(tree)) if isinstance(tree, dict) else ""
    if tag == "dict" and all(isinstance(key, str) for key, _ in tree["dict"]):
        parts = [f"{key}={_spell(item)}" for key, item in tree["dict"]]
    else:
        parts = [_spell(item) for item in tree["tuple"]] if tag == "tuple" else [_spell(tree)]
    return f"{name.rpartition('.')[2]}({', '.join(parts)})"


def _foreign(tag: str) -> Callable[[Any], str]:
    return lambda body: showing.SPELL[tag](body, _spell)


_SPELL: dict[str, Callable[[Any], str]] = {
    "tuple": lambda body: "(" + ", ".join(map(_spell, body)) + (",)" if len(body) == 1 else ")"),
    "set": _members("{", "}", "set()"),
    "frozenset": _members("frozenset({", "})", "frozenset()"),
    "deque": _members("deque([", "])", "deque()"),
    "dict": lambda body: "{" + ", ".join(f"{_spell(key)}: {_spell(item)}" for key, item in body) + "}",
    "int": lambda body: body,
    "bytes": lambda body: repr(bytes.fromhex(body)),
    "bytearray": lambda body: repr(bytearray.fromhex(body)),
    "complex": _numbers("complex"),
    "range": _numbers("range"),
    "decimal": _text("Decimal"),
    "fraction": _numbers("Fraction"),
    "datetime": _text("datetime.fromisoformat"),
    "date": _text("date.fromisoformat"),
    "time": _text("time.fromisoformat"),
    "timedelta": _numbers("timedelta"),
    "enum": ".".join,
    "record": _fields,
    "object": lambda body: f"<{_fields(body)}>",
    "above": lambda body: "…",
    "source": lambda body: body,
    "call": _call,
    "iterator": _iterator,
    "type": lambda body: body,
    "opaque": lambda body: f"<{body}>",
    "foreign": lambda body: _plugged(*body),
    **{tag: _foreign(tag) for tag in showing.SPELL},
}
