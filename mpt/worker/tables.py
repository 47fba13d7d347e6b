"""What the bodies of numpy's and pandas's values may look like: they come from behind the wall, and anything may.

`values` in all of these checks that every member of a list is a tree itself; see `mpt.worker.checking`.
"""

import re
from collections.abc import Callable
from typing import Any

Values = Callable[[Any, int], bool]
MAX_DIMENSIONS = 64
MOMENT = re.compile(
    r"([-+]?\d{4,}(?:-\d\d){0,2})(?:T(\d\d(?::\d\d){0,2})(?:\.(\d{1,18}))?([-+]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?|Z)?)?"
)
"""Date, time, digits of the second, offset; as numpy and pandas write it, however exact it is."""
UNITS = ("Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as", "generic")
MISSING = ("NaT", "NA", "masked")


def moment(body: Any, depth: int) -> bool:
    return isinstance(body, str) and MOMENT.fullmatch(body) is not None


def span(body: Any, depth: int) -> bool:
    return isinstance(body, list) and len(body) == 2 and type(body[0]) is int and body[1] in UNITS


def missing(body: Any, depth: int) -> bool:
    return isinstance(body, str) and body in MISSING


def array(values: Values) -> Any:
    def check(body: Any, depth: int) -> bool:
        if not (_parts(body, str, list, list) and values(body[2], depth)):
            return False
        shape = body[1]
        if not all(type(length) is int and length >= 0 for length in shape) or len(shape) > MAX_DIMENSIONS:
            return False
        return _volume(shape, len(body[2])) == len(body[2])

    return check


def _volume(shape: list[int], enough: int) -> int:
    """How many items that shape has; stops early at more than `enough`."""
    if 0 in shape:
        return 0
    volume = 1
    for length in shape:
        volume *= length
        if volume > enough:
            break
    return volume


def _parts(body: Any, *kinds: type) -> bool:
    return isinstance(body, list) and len(body) == len(kinds) and all(map(isinstance, body, kinds))


def column(values: Values) -> Any:
    """A dtype, a text or a category's tree, and items."""

    def check(body: Any, depth: int) -> bool:
        if not (isinstance(body, list) and len(body) == 2 and isinstance(body[1], list) and values(body, depth)):
            return False
        return isinstance(body[0], str) or _tagged(body[0], "category")

    return check


def _tagged(tree: Any, tag: str) -> bool:
    return isinstance(tree, dict) and tag in tree


def category(values: Values) -> Any:
    def check(body: Any, depth: int) -> bool:
        return _parts(body, dict, bool) and _tagged(body[0], "index") and values(body, depth)

    return check


def index(values: Values) -> Any:
    """Levels of one length, a name for each."""
    is_column = column(values)

    def check(body: Any, depth: int) -> bool:
        if not (_parts(body, str, list, list, str) and values(body[1], depth)):
            return False
        levels = body[2]
        if not levels or len(levels) != len(body[1]) or not all(is_column(level, depth + 1) for level in levels):
            return False
        return len({len(items) for _, items in levels}) == 1

    return check


def series(values: Values) -> Any:
    is_column = column(values)

    def check(body: Any, depth: int) -> bool:
        if not (isinstance(body, list) and len(body) == 4 and _tagged(body[1], "index") and values(body[:2], depth)):
            return False
        return is_column(body[2:], depth) and len(body[3]) == length(body[1])

    return check


def frame(values: Values) -> Any:
    """As many columns as there are names, as long as the index."""
    is_column = column(values)

    def check(body: Any, depth: int) -> bool:
        if not (_parts(body, dict, dict, list) and all(_tagged(axis, "index") for axis in body[:2])):
            return False
        if not (values(body[:2], depth) and all(is_column(one, depth + 1) for one in body[2])):
            return False
        rows = length(body[0])
        return len(body[2]) == length(body[1]) and all(len(items) == rows for _, items in body[2])

    return check


def length(tree: Any) -> int:
    """Of an index whose tree is checked."""
    return len(tree["index"][2][0][1])
