"""Is a tree one of a value's? Everything that comes from behind the wall is looked at here before anybody uses it."""

import datetime
import decimal
import fractions
from typing import Any

from mpt.worker import tables

MAX_DEPTH = 60
"""Nesting beyond this is opaque (also what is cyclic)."""
PLAIN = frozenset({type(None), bool, float, str})
"""Types that JSON carries as they are; int too, up to a size."""


class CodecError(ValueError):
    """Bytes that are not the text of a value."""


def check(tree: Any, depth: int) -> None:
    """Raises CodecError, and whatever building a leaf raises, for what is no value's tree."""
    kind = type(tree)
    if kind in PLAIN or kind is int:
        return
    if depth > 4 * MAX_DEPTH:
        raise CodecError("too deep")
    if kind is list:
        for item in tree:
            if type(item) not in PLAIN:
                check(item, depth + 1)
        return
    if len(tree) != 1:
        raise CodecError("a tagged value has one key")
    [(tag, body)] = tree.items()
    is_right = BODIES.get(tag)
    if is_right is None or not is_right(body, depth + 1):
        raise CodecError("tag " + repr(tag)[:40])
    if tag in LEAVES:
        LEAVES[tag](body)


def _values(body: Any, depth: int) -> bool:
    if not isinstance(body, list):
        return False
    check(body, depth)
    return True


def _pairs_ok(body: Any, depth: int) -> bool:
    return _values(body, depth) and all(isinstance(pair, list) and len(pair) == 2 for pair in body)


def _string(body: Any, depth: int) -> bool:
    return isinstance(body, str)


def _big(body: Any, depth: int) -> bool:
    return isinstance(body, str) and body.lstrip("-").startswith("0x") and isinstance(int(body, 16), int)


def _numbers(count: int, kinds: tuple[type, ...]) -> Any:
    def check(body: Any, depth: int) -> bool:
        if not (isinstance(body, list) and len(body) == count):
            return False
        return all(type(number) in kinds or _is_big(number) for number in body)

    return check


def _is_big(tree: Any) -> bool:
    return isinstance(tree, dict) and set(tree) == {"int"} and _big(tree["int"], 0)


def _record(body: Any, depth: int) -> bool:
    if not (isinstance(body, list) and len(body) == 2 and isinstance(body[0], str) and _pairs_ok(body[1], depth)):
        return False
    return all(isinstance(name, str) for name, _ in body[1])


def _iterator_ok(body: Any, depth: int) -> bool:
    if not (
        isinstance(body, list) and len(body) == 3 and isinstance(body[0], str) and isinstance(body[2], (bool, str))
    ):
        return False
    return _values(body[1], depth)


def _call_ok(body: Any, depth: int) -> bool:
    if not (isinstance(body, list) and len(body) == 3 and isinstance(body[0], str)):
        return False
    return _values(body[1], depth) and _record(["", body[2]], depth)


def _foreign_ok(body: Any, depth: int) -> bool:
    return isinstance(body, list) and len(body) == 2 and isinstance(body[0], str) and _values(body[1:], depth)


def _whole(body: Any, depth: int) -> bool:
    return type(body) is int


def _names(count: int) -> Any:
    return lambda body, depth: isinstance(body, list) and len(body) == count and all(isinstance(n, str) for n in body)


BODIES: dict[str, Any] = {
    "tuple": _values,
    "set": _values,
    "frozenset": _values,
    "deque": _values,
    "dict": _pairs_ok,
    "int": _big,
    "bytes": _string,
    "bytearray": _string,
    "complex": _numbers(2, (float, int)),
    "range": _numbers(3, (int,)),
    "decimal": _string,
    "fraction": _numbers(2, (int,)),
    "datetime": _string,
    "date": _string,
    "time": _string,
    "timedelta": _numbers(3, (int,)),
    "enum": _names(2),
    "record": _record,
    "iterator": _iterator_ok,
    "object": _record,
    "above": _whole,
    "source": _string,
    "call": _call_ok,
    "foreign": _foreign_ok,
    "array": tables.array(_values),
    "datetime64": tables.moment,
    "timedelta64": tables.span,
    "missing": tables.missing,
    "index": tables.index(_values),
    "series": tables.series(_values),
    "frame": tables.frame(_values),
    "extension": tables.column(_values),
    "category": tables.category(_values),
    "type": _string,
    "opaque": _string,
}


def whole(tree: Any) -> int:
    """A number, or one too big for JSON."""
    return int(tree["int"], 16) if isinstance(tree, dict) else int(tree)


LEAVES: dict[str, Any] = {
    "bytes": bytes.fromhex,
    "bytearray": bytearray.fromhex,
    "complex": lambda b: complex(*b),
    "range": lambda b: range(*map(whole, b)),
    "decimal": decimal.Decimal,
    "fraction": lambda b: fractions.Fraction(*map(whole, b)),
    "datetime": datetime.datetime.fromisoformat,
    "date": datetime.date.fromisoformat,
    "time": datetime.time.fromisoformat,
    "timedelta": lambda b: datetime.timedelta(*b),
}
"""What builds that which holds no other values: its body is right when it can be built."""
