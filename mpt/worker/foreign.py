"""Values of other packages, where a program has loaded those, and some of the standard library's, as trees.

Everything that `numpy.testing` and `pandas.testing` look at is in them: dtype, shape, index, names, masks, categories.
All of this may raise what hostile values raise.
"""

import sys
from collections.abc import Callable
from typing import Any, Optional

Tree = Callable[[Any], Any]
"""What spells a value that is inside another."""
_MISSING = {"missing": "NaT"}
_NO_TIME = -(1 << 63)
_YEARS = range(1, 10_000)
"""That Python's own dates have."""


def plain(value: Any, tree: Tree, count: Callable[[int], None]) -> Any:
    """The tree of a value of numpy's or pandas's (see `mpt.worker.codec`); None for a value of neither.

    count: is told how many values there are inside, and raises where these are too many.
    """
    numpy, pandas = sys.modules.get("numpy"), sys.modules.get("pandas")
    spelt = _Pandas(pandas, numpy, tree, count).spelt(value) if pandas is not None and numpy is not None else None
    if spelt is None and numpy is not None:
        spelt = _Numpy(numpy, tree, count).spelt(value)
    return spelt


class _Numpy:
    def __init__(self, numpy: Any, tree: Tree, count: Callable[[int], None]) -> None:
        self.numpy = numpy
        self.tree = tree
        self.count = count

    def spelt(self, value: Any) -> Any:
        if isinstance(value, self.numpy.ndarray):
            return self._array(value)
        return self._scalar(value) if isinstance(value, self.numpy.generic) else None

    def _scalar(self, value: Any) -> Any:
        """Python's own where it has such a value."""
        if value.dtype.names is not None:
            return self._record(value)
        [item] = self.items(self.numpy.asarray(value).reshape(1))
        return item

    def _array(self, value: Any) -> Any:
        self.count(value.size)
        if value.ndim == 0:
            [item] = self._unmasked(value.reshape(1))
            return item
        return {"array": [str(value.dtype), list(value.shape), self._unmasked(value)]}

    def _unmasked(self, value: Any) -> list[Any]:
        """The items in their order, what a mask hides as such."""
        masked = sys.modules.get("numpy.ma")
        if masked is None or not isinstance(value, masked.MaskedArray):
            return self.items(self.numpy.asarray(value).reshape(-1))
        if value.dtype.names is not None:
            return [self._record(row) for row in value.reshape(-1)]
        hidden = masked.getmaskarray(value).reshape(-1).tolist()
        items = self.items(masked.getdata(value, subok=False).reshape(-1))
        return [{"missing": "masked"} if hides else item for hides, item in zip(hidden, items)]

    def items(self, flat: Any) -> list[Any]:
        """Of an array of one dimension."""
        kind, names = flat.dtype.kind, flat.dtype.names
        if names is not None:
            return [self._record(row) for row in flat]
        if kind == "M":
            return [_moment(text) for text in self.numpy.datetime_as_string(flat).tolist()]
        if kind == "m":
            unit, times = self.numpy.datetime_data(flat.dtype)
            return [
                _span(number, times, unit) for number in flat.astype(flat.dtype.newbyteorder("=")).view("i8").tolist()
            ]
        if flat.dtype.char in "gG":  # longer than Python's
            flat = flat.astype("f8" if flat.dtype.char == "g" else "c16")
        return [self.tree(item) for item in flat.tolist()]

    def _record(self, row: Any) -> Any:
        return {"record": ["void", [[str(name), self.tree(row[name])] for name in row.dtype.names]]}


def _moment(text: str) -> Any:
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return _MISSING if text == "NaT" else {"datetime64": text}


def _span(number: int, times: int, unit: str) -> Any:
    return _MISSING if number == _NO_TIME else {"timedelta64": [number * times, unit]}


class _Pandas:
    def __init__(self, pandas: Any, numpy: Any, tree: Tree, count: Callable[[int], None]) -> None:
        self.pandas = pandas
        self.numpy = numpy
        self.arrays = _Numpy(numpy, tree, count)
        self.tree = tree
        self.count = count

    def spelt(self, value: Any) -> Any:
        pandas = self.pandas
        if value is pandas.NaT or value is pandas.NA:
            return {"missing": "NaT" if value is pandas.NaT else "NA"}
        for kind, spell in (
            (pandas.DataFrame, self._frame),
            (pandas.Series, lambda v: {"series": [self.tree(v.name), self._index(v.index), *self._column(v)]}),
            (pandas.Index, self._index),
            (pandas.Timestamp, _timestamp),
            (pandas.Timedelta, _timedelta),
            (pandas.api.extensions.ExtensionArray, lambda v: {"extension": self._column(v)}),
        ):
            if isinstance(value, kind):
                return spell(value)
        return None

    def _frame(self, frame: Any) -> Any:
        self.count(frame.size)
        columns = [self._column(frame.iloc[:, at]) for at in range(frame.shape[1])]  # by place: names may be twice
        return {"frame": [self._index(frame.index), self._index(frame.columns), columns]}

    def _index(self, index: Any) -> Any:
        if isinstance(index, self.pandas.MultiIndex):
            levels = [
                [self._dtype(level.dtype), self._column(index.get_level_values(at))[1]]
                for at, level in enumerate(index.levels)
            ]
        else:
            levels = [self._column(index)]
        timed = isinstance(index, (self.pandas.DatetimeIndex, self.pandas.TimedeltaIndex))
        rhythm = str(index.freqstr or "") if timed else ""
        return {"index": [_kind(index), [self.tree(name) for name in index.names], levels, rhythm]}

    def _column(self, column: Any) -> list[Any]:
        """Its dtype and its items."""
        self.count(len(column))
        dtype = column.dtype
        if isinstance(dtype, self.numpy.dtype) and dtype.kind not in "mM":
            return [str(dtype), self.arrays.items(column.to_numpy())]
        return [self._dtype(dtype), [self.tree(item) for item in column]]

    def _dtype(self, dtype: Any) -> Any:
        if isinstance(dtype, self.pandas.CategoricalDtype) and dtype.categories is not None:
            return {"category": [self._index(dtype.categories), bool(dtype.ordered)]}
        return str(dtype)


def _kind(index: Any) -> str:
    """Older pandas have classes for whole and other numbers, which are plain ones in newer."""
    name = type(index).__name__
    return "Index" if name in ("Int64Index", "UInt64Index", "Float64Index") else str(name)


def _timestamp(value: Any) -> Any:
    text = value.isoformat()
    return {"datetime" if value.nanosecond == 0 and value.year in _YEARS else "datetime64": text}


def _timedelta(value: Any) -> Any:
    if value.nanoseconds:
        return {"timedelta64": [int(value.value), "ns"]}
    return {"timedelta": [value.days, value.seconds, value.microseconds]}


def fields(value: Any) -> Optional[list[tuple[str, Any]]]:
    """What counts of a value whose attributes tell too much (caches) or nothing; None for others."""
    declared = getattr(type(value), "__attrs_attrs__", None)
    if isinstance(declared, tuple):
        return [(field.name, getattr(value, field.name)) for field in declared if field.eq]
    for module, name, read in _FIELDS:
        loaded = sys.modules.get(module)
        if loaded is not None and isinstance(value, getattr(loaded, name, ())):
            found: list[tuple[str, Any]] = read(value)
            return found
    return None


def _of_model(value: Any) -> list[tuple[str, Any]]:
    """What pydantic compares: fields, extra and private ones; no cached properties, nor which fields were given."""
    kind, held = type(value), value.__dict__
    named = getattr(kind, "__pydantic_fields__", None) or getattr(kind, "__fields__", held)
    found = {name: held[name] for name in named if name in held}
    for more in ("__pydantic_extra__", "__pydantic_private__"):
        found.update(sorted((getattr(value, more, None) or {}).items()))
    return list(found.items())


_FIELDS: tuple[tuple[str, str, Any], ...] = (
    ("pathlib", "PurePath", lambda v: [("path", str(v))]),
    ("re", "Pattern", lambda v: [("pattern", v.pattern), ("flags", v.flags)]),
    ("re", "Match", lambda v: [("span", v.span()), ("groups", v.groups()), ("named", v.groupdict())]),
    ("uuid", "UUID", lambda v: [("hex", v.hex)]),
    ("zoneinfo", "ZoneInfo", lambda v: [("key", v.key)]),
    ("datetime", "timezone", lambda v: [("name", str(v))]),
    ("io", "StringIO", lambda v: [("value", v.getvalue()), ("position", v.tell())]),
    ("io", "BytesIO", lambda v: [("value", v.getvalue()), ("position", v.tell())]),
    ("functools", "partial", lambda v: [("func", v.func), ("args", v.args), ("keywords", v.keywords)]),
    ("pydantic.main", "BaseModel", _of_model),
    ("numpy", "dtype", lambda v: [("name", str(v))]),
    ("pandas", "Period", lambda v: [("period", str(v)), ("freq", v.freqstr)]),
    ("pandas", "Interval", lambda v: [("left", v.left), ("right", v.right), ("closed", v.closed)]),
)
