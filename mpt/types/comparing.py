"""When are two values of other packages the same? On trees alone (`mpt.worker.codec`): no package is imported.

Arrays, as `numpy.testing.assert_allclose(…, equal_nan=True)` has it: of one shape, item by item; the dtype does not
count, whole numbers are the same within 1e-7. Dates, texts and structures are compared exactly, as by
`numpy.testing.assert_array_equal`. Apart from numpy's rule:
    a number is not broadcast against an array, a list is no array, a duration no number, NaT not None, and where one
    item is masked the other must be.

Series, frames and indexes, as `pandas.testing.assert_series_equal`, `assert_frame_equal` and `assert_index_equal` have
it by default: dtypes count (check_dtype), the index with its class (a RangeIndex is as good as an Index of the same
numbers), names, order, categories with theirs, frequencies of the rows' dates; floats are the same within 1e-5 relative
and 1e-8 absolute, of an index that is the answer itself within our own tolerances. Apart from pandas's rule:
    whole numbers are exact everywhere, None is not NaN, subclasses count as what they derive from, flags do not count.

All of these rules are symmetric. Our own tolerances (rule 2 of `mpt.equality`) hold where they are wider.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable
from typing import Any

from mpt.worker.tables import MOMENT

Same = bool | None
Each = Callable[[Any, Any, float, float], Same]
"""Compares two trees; numbers of which one is a float are the same within a relative and an absolute tolerance, or
within our own where these are wider."""

_WHOLE = 1e-7
_PANDAS = (1e-5, 1e-8)
_OURS = (0.0, 0.0)
_PLAIN_INDEXES = {"Index", "RangeIndex"}
_WITH_RHYTHM = {"DatetimeIndex", "TimedeltaIndex"}


def all_same(answers: Iterable[Same]) -> Same:
    """False as soon as one is; None where one is and none is False."""
    known: Same = True
    for answer in answers:
        if answer is False:
            return False
        known = known if answer else None
    return known


# --- numpy ----------------------------------------------------------------------------------------


def _arrays(left: Any, right: Any, each: Each) -> Same:
    (kind, shape, mine), (other, length, theirs) = left, right
    if shape != length:
        return False
    boxed = "object" in (kind, other)
    return all_same(
        _whole(a, b) or each(a, b, *_OURS) if not boxed else each(a, b, *_OURS)
        for a, b in zip(mine, theirs, strict=True)
    )


def _whole(left: Any, right: Any) -> bool:
    if type(left) is not int or type(right) is not int:
        return False
    return abs(left - right) <= _WHOLE * max(abs(left), abs(right))


# --- pandas ---------------------------------------------------------------------------------------


def _series(left: Any, right: Any, each: Each) -> Same:
    (name, index, *column), (other, rows, *values) = left, right
    return all_same((_rows(index, rows, each), each(name, other, *_OURS), _columns(column, values, each, _PANDAS)))


def _frames(left: Any, right: Any, each: Each) -> Same:
    (index, names, columns), (rows, others, values) = left, right
    axes = all_same((_rows(index, rows, each), _indexes(names["index"], others["index"], each, _PANDAS)))
    if axes is False or len(columns) != len(values):
        return False
    return all_same((axes, *(_columns(a, b, each, _PANDAS) for a, b in zip(columns, values, strict=True))))


def _rows(left: Any, right: Any, each: Each) -> Same:
    """The indexes of two series or frames: they are compared less exactly, but the frequency of their dates counts."""
    mine, theirs = left["index"], right["index"]
    if mine[0] in _WITH_RHYTHM and mine[3] != theirs[3]:
        return False
    return _indexes(mine, theirs, each, _PANDAS)


def _indexes(left: Any, right: Any, each: Each, within: tuple[float, float] = _OURS) -> Same:
    (kind, names, levels, _), (other, others, values, _) = left, right
    if (kind != other and not {kind, other} <= _PLAIN_INDEXES) or len(levels) != len(values):
        return False
    named = (each(a, b, *_OURS) for a, b in zip(names, others, strict=True))
    return all_same((*named, *(_columns(a, b, each, within) for a, b in zip(levels, values, strict=True))))


def _columns(left: Any, right: Any, each: Each, within: tuple[float, float] = _OURS) -> Same:
    (dtype, mine), (other, theirs) = left, right
    alike = _dtypes(dtype, other, each)
    if alike is False or len(mine) != len(theirs):
        return False
    return all_same((alike, *(each(a, b, *within) for a, b in zip(mine, theirs, strict=True))))


def _dtypes(left: Any, right: Any, each: Each) -> Same:
    if isinstance(left, str) or isinstance(right, str):
        return bool(left == right)
    (categories, ordered), (others, other) = left["category"], right["category"]
    return _indexes(categories["index"], others["index"], each) if ordered is other else False


RULES: dict[str, Callable[[Any, Any, Each], Same]] = {
    "array": _arrays,
    "index": _indexes,
    "series": _series,
    "frame": _frames,
    "extension": lambda left, right, each: _columns(left, right, each, _PANDAS),
    "category": lambda left, right, each: _dtypes({"category": left}, {"category": right}, each),
}
"""By tag: the two bodies, and what compares the values inside."""


# --- dates and times, Python's own and finer ones -------------------------------------------------

MOMENTS = {"date", "datetime", "datetime64"}
SPANS = {"timedelta", "timedelta64"}
_MONTHS = {"Y": 12, "M": 1}
_SECOND = 10**18
_ATTOSECONDS = {
    **{unit: count * _SECOND for unit, count in (("W", 604_800), ("D", 86_400), ("h", 3_600), ("m", 60))},
    **{unit: _SECOND // 1_000**n for n, unit in enumerate(("s", "ms", "us", "ns", "ps", "fs", "as"))},
}


def same_moment(tag: str, left: str, other: str, right: str) -> bool:
    """Python's `==`: with an offset, the moment counts; a date is no datetime. A date of numpy's is both."""
    return {tag, other} != {"date", "datetime"} and _moment(left) == _moment(right)


def _moment(text: str) -> tuple[str, str, str]:
    """Date and time, digits of the second, and whether it is by UTC."""
    match = MOMENT.fullmatch(text)
    if match is None:
        return text, "", ""
    day, clock, digits, offset = match.groups()
    whole = day + "-01" * (3 - len(day.lstrip("+-").split("-"))) + "T" + (clock or "00") + ":00" * (3 - _parts(clock))
    digits = (digits or "").rstrip("0")
    if offset is None:
        return whole, digits, ""
    try:
        moment = datetime.datetime.fromisoformat(whole + offset).astimezone(datetime.UTC)
    except (ValueError, OverflowError):
        return whole, digits, offset
    return moment.replace(tzinfo=None).isoformat(), digits, "Z"


def _parts(clock: str | None) -> int:
    return len(clock.split(":")) if clock else 1


def same_span(left: Any, right: Any) -> bool:
    """Bodies of either kind. Months are no days."""
    return _span(left) == _span(right)


def _span(body: Any) -> tuple[str, int]:
    if len(body) == 3:
        days, seconds, microseconds = body
        return "s", ((days * 86_400 + seconds) * 10**6 + microseconds) * 10**12
    number, unit = body
    if number == 0 or unit in _MONTHS:
        return ("M" if number else "s"), number * _MONTHS.get(unit, 0)
    return ("s", number * _ATTOSECONDS[unit]) if unit in _ATTOSECONDS else (unit, number)
