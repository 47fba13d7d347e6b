"""Values of other packages, where a program has loaded those, and some of the standard library's, as plain ones."""

import sys
from typing import Any, Optional


def plain(value: Any) -> Optional[tuple[str, Any]]:
    """The tag of `mpt.worker.codec` and a list for its body; an empty tag and Python's own object for a scalar.

    None for a value of no such package. May raise what hostile values raise.
    """
    numpy, pandas = sys.modules.get("numpy"), sys.modules.get("pandas")
    if pandas is not None and isinstance(value, pandas.DataFrame):
        return "frame", [_list(value.index), [[name, _list(value[name])] for name in value.columns]]
    if pandas is not None and isinstance(value, pandas.Series):
        return "series", [_list(value.index), _list(value)]
    if pandas is not None and isinstance(value, pandas.Index):
        return "array", _list(value)
    if pandas is not None and isinstance(value, pandas.Timestamp):
        return "", value.to_pydatetime(warn=False)
    if pandas is not None and (value is pandas.NaT or value is pandas.NA):
        return "", float("nan")
    if pandas is not None and isinstance(value, pandas.Timedelta):
        return "", value.to_pytimedelta()
    if numpy is not None and isinstance(value, numpy.ndarray):
        return ("array", _coarse(numpy, value).tolist()) if value.ndim else ("", value[()])
    if numpy is not None and isinstance(value, numpy.generic):
        return "", _scalar(numpy, value)
    return None


def _list(column: Any) -> list[Any]:
    return list(column.tolist())


def _coarse(numpy: Any, array: Any) -> Any:
    """Dates to the microsecond, the finest Python has: finer ones would become integers."""
    return array.astype(array.dtype.str[:3] + "[us]") if array.dtype.kind in "mM" else array


def _scalar(numpy: Any, value: Any) -> Any:
    return _coarse(numpy, value).item()


def fields(value: Any) -> Optional[list[tuple[str, Any]]]:
    """What counts of a value of the standard library whose attributes tell too much (caches) or nothing; else None.

    May raise what hostile values raise.
    """
    for module, name, read in _STANDARD:
        loaded = sys.modules.get(module)
        if loaded is not None and isinstance(value, getattr(loaded, name)):
            found: list[tuple[str, Any]] = read(value)
            return found
    return None


_STANDARD: tuple[tuple[str, str, Any], ...] = (
    ("pathlib", "PurePath", lambda v: [("path", str(v))]),
    ("re", "Pattern", lambda v: [("pattern", v.pattern), ("flags", v.flags)]),
    ("re", "Match", lambda v: [("span", v.span()), ("groups", v.groups()), ("named", v.groupdict())]),
    ("uuid", "UUID", lambda v: [("hex", v.hex)]),
    ("zoneinfo", "ZoneInfo", lambda v: [("key", v.key)]),
    ("datetime", "timezone", lambda v: [("name", str(v))]),
    ("io", "StringIO", lambda v: [("value", v.getvalue()), ("position", v.tell())]),
    ("io", "BytesIO", lambda v: [("value", v.getvalue()), ("position", v.tell())]),
    ("functools", "partial", lambda v: [("func", v.func), ("args", v.args), ("keywords", v.keywords)]),
)
