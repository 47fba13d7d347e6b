"""Arrays are the same where numpy.testing says so, series, frames and indexes where pandas.testing does.

Compared is what comes of both through the codec with what the packages say of the objects themselves. One of a pair is
often a small change of the other.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mpt.equality import Same, same_value
from mpt.spelling import literal
from mpt.values import Value
from mpt.worker import codec

np = pytest.importorskip("numpy")
pd = pytest.importorskip("pandas")

OURS = {"rtol": 1e-6, "atol": 1e-9}
NEAR = st.sampled_from([1e-12, 1e-8, 3e-7, 5e-6, 2e-4, 0.5])
"""Relative changes: within every tolerance, and beyond one, two, all of them; none lies close to one."""
numbers = st.sampled_from([0, 1, 2, -3, 7, 120])
floats = st.sampled_from([0.0, 1.0, 2.5, -3.25, 1000.0, np.nan, np.inf, -np.inf])


def said_by(assertion: Callable[..., None], left: Any, right: Any, **how: Any) -> bool:
    """What the package's own assertion says; made symmetric."""

    def holds(a: Any, b: Any) -> bool:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                assertion(a, b, **how)
            except (AssertionError, TypeError, ValueError):
                return False
        return True

    return holds(left, right) or holds(right, left)


def ours(left: Any, right: Any) -> Same:
    mine, theirs = (Value(codec.dumps(codec.parse(codec.encode(value)))) for value in (left, right))
    for value in (mine, theirs):
        assert "\n" not in literal(value)
        assert same_value(value, value) is True
    found = same_value(mine, theirs)
    assert same_value(theirs, mine) is found
    return found


# --- arrays ---------------------------------------------------------------------------------------

KINDS: dict[str, st.SearchStrategy[Any]] = {
    "int64": numbers,
    "int8": numbers,
    "uint16": numbers.map(abs),
    "float64": floats,
    "float32": floats,
    "bool": st.booleans(),
    "complex128": st.builds(complex, floats, st.sampled_from([0.0, 1.0])),
    "U3": st.sampled_from(["", "a", "ab", "1"]),
    "S2": st.sampled_from([b"", b"a", b"1"]),
    "M8[D]": st.sampled_from(["2024-01-01", "1969-12-31", "NaT"]),
    "M8[ns]": st.sampled_from(["2024-01-01", "2024-01-01T00:00:00.000000001", "NaT"]),
    "m8[h]": st.sampled_from([0, 1, 24, "NaT"]),
    "m8[s]": st.sampled_from([0, 3600, 86400, "NaT"]),
}
shapes = st.sampled_from([(), (0,), (1,), (2,), (3,), (2, 3), (3, 2), (0, 3), (3, 0), (1, 1, 2)])


@st.composite
def arrays(draw: st.DrawFn) -> Any:
    kind = draw(st.sampled_from(sorted(KINDS)))
    shape = draw(shapes)
    count = int(np.prod(shape))
    items = draw(st.lists(KINDS[kind], min_size=count, max_size=count))
    return np.array(items, dtype=kind).reshape(shape)


@st.composite
def changed_array(draw: st.DrawFn, array: Any) -> Any:
    """Of another shape, or dtype, or with one item that is another, a little or much."""
    how = draw(st.sampled_from(["same", "shape", "kind", "item", "near", "flipped"]))
    if how == "shape":
        return array.reshape(draw(st.sampled_from([(-1,), (1, *array.shape), array.shape[::-1]])))
    if how == "kind":
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                return array.astype(draw(st.sampled_from(["float64", "int64", "float32", "M8[ns]", "m8[s]", "U9"])))
            except (ValueError, TypeError, RuntimeError):  # RuntimeError: a date is too long for the text
                return array
    other = array.copy()
    if how == "flipped":
        return np.flip(other)
    if how in ("item", "near") and array.size:
        at = draw(st.integers(0, array.size - 1))
        if how == "item":
            code = next(kind for kind in KINDS if np.dtype(kind) == array.dtype)
            other.reshape(-1)[at] = np.array([draw(KINDS[code])], dtype=code)[0]
        elif array.dtype.kind in "fc":
            with np.errstate(all="ignore"):
                other.reshape(-1)[at] *= 1 + draw(NEAR)
        elif array.dtype == "int64":
            other = other * 10**9
            array *= 10**9
            other.reshape(-1)[at] += int(10**9 * draw(NEAR))
    return other


pairs_of_arrays = arrays().flatmap(lambda array: st.tuples(st.just(array), changed_array(array) | arrays()))


def numpy_says(left: Any, right: Any) -> bool:
    """Numbers by assert_allclose, within our own tolerances where one is no whole number; all else exactly.

    Not followed: there a duration may be as good as a number.
    """
    if (left.dtype.kind == "m") is not (right.dtype.kind == "m") and left.size:
        return False
    if left.dtype.kind in "biufc" and right.dtype.kind in "biufc":
        whole = left.dtype.kind in "biu" and right.dtype.kind in "biu"
        return said_by(np.testing.assert_allclose, left, right, **({} if whole else OURS))
    return said_by(np.testing.assert_array_equal, left, right)


@given(pairs_of_arrays)
@example((np.zeros((0, 3)), np.zeros((0,))))
@example((np.array(["2024-01-01"], "M8[D]"), np.array(["2024-01-01"], "M8[ns]")))
@example((np.array(["2024-01-01T00:00:00.000000001"], "M8[ns]"), np.array(["2024-01-01"], "M8[ns]")))
def test_arrays_are_the_same_where_numpy_says_so(pair: tuple[Any, Any]) -> None:
    left, right = pair
    if (left.ndim == 0) is not (right.ndim == 0):  # not followed: there a number is as good as an array of it
        assert ours(left, right) is False
    else:
        assert ours(left, right) is numpy_says(left, right)


@given(
    st.sampled_from(["int8", "float64", "bool", "complex128"]).flatmap(
        lambda kind: KINDS[kind].map(np.dtype(kind).type)
    )
)
def test_an_array_without_dimensions_and_a_scalar_are_pythons_own_number(scalar: Any) -> None:
    array = np.asarray(scalar)
    assert ours(array, array[()]) is True
    assert ours(array, array.item()) is True


@given(st.lists(st.tuples(numbers, floats), min_size=1, max_size=3), st.data())
def test_structured_arrays_are_the_same_where_numpy_says_so(rows: list[Any], data: st.DataObject) -> None:
    kind = [("a", "i4"), ("b", "f8")]
    rows = [(a, b if b == b else 0.5) for a, b in rows]
    other = data.draw(st.just(rows) | st.just(rows[::-1]) | st.just([(a + 1, b) for a, b in rows]))
    named = data.draw(st.sampled_from([kind, [("a", "i4"), ("c", "f8")], [("a", "i8"), ("b", "f4")]]))
    left, right = np.array(rows, dtype=kind), np.array(other, dtype=named)
    assert ours(left, right) is said_by(np.testing.assert_array_equal, left, right)


@given(st.lists(st.tuples(numbers, st.booleans()), min_size=1, max_size=4), st.data())
def test_what_a_mask_hides_does_not_count_but_the_mask_does(items: list[tuple[int, bool]], data: st.DataObject) -> None:
    values, mask = [value for value, _ in items], [hides for _, hides in items]
    left = np.ma.array(values, mask=mask)
    beneath = [data.draw(numbers) if hides else value for value, hides in items]
    assert ours(left, np.ma.array(beneath, mask=mask)) is True
    other = data.draw(st.lists(st.booleans(), min_size=len(mask), max_size=len(mask)))
    assert ours(left, np.ma.array(values, mask=other)) is (mask == other)
    assert ours(left, np.array(values)) is (not any(mask))


# --- series, frames, indexes ----------------------------------------------------------------------

texts = st.sampled_from(["", "a", "b", "ab"])
COLUMNS: dict[str, st.SearchStrategy[Any]] = {
    "int64": numbers,
    "int8": numbers,
    "Int64": numbers | st.just(None),
    "float64": floats,
    "Float64": st.sampled_from([0.0, 1.5, 1000.0, None]),
    "bool": st.booleans(),
    "boolean": st.sampled_from([True, False, None]),
    "object": texts | st.sampled_from([None, np.nan, 1, 2.5]),
    "str": texts | st.just(None),
    "category": texts | st.just(None),
    "datetime64[ns]": st.sampled_from(["2024-01-01", "2024-01-01T00:00:00.000000001", None]),
    "datetime64[s]": st.sampled_from(["2024-01-01", "1999-12-31", None]),
    "datetime64[ns, Europe/Berlin]": st.sampled_from(["2024-01-01", "2024-07-01", None]),
    "datetime64[ns, UTC]": st.sampled_from(["2024-01-01", None]),
    "timedelta64[ns]": st.sampled_from(["1s", "1ns", None]),
}
LENGTH = st.shared(st.integers(0, 3), key="length")
names = st.sampled_from([None, "a", "b", 1])


def column(kind: str, items: list[Any], name: Any = None) -> Any:
    if kind == "datetime64[ns, Europe/Berlin]" and items:
        return pd.Series(pd.to_datetime(pd.Series(items)).dt.tz_localize("Europe/Berlin").dt.as_unit("ns"), name=name)
    if kind == "datetime64[ns, UTC]" and items:
        return pd.Series(pd.to_datetime(pd.Series(items)).dt.tz_localize("UTC").dt.as_unit("ns"), name=name)
    return pd.Series(items, dtype=kind, name=name)


@st.composite
def columns(draw: st.DrawFn) -> Any:
    kind = draw(st.sampled_from(sorted(COLUMNS)))
    length = draw(LENGTH)
    return column(kind, draw(st.lists(COLUMNS[kind], min_size=length, max_size=length)), draw(names))


@st.composite
def indexes(draw: st.DrawFn) -> Any:
    length = draw(LENGTH)
    name = draw(names)
    some = {
        "range": lambda: pd.RangeIndex(length, name=name),
        "numbers": lambda: pd.Index(draw(st.permutations(range(length))), dtype="int64", name=name),
        "floats": lambda: pd.Index(
            [draw(st.sampled_from([0.5, 1.0, np.nan])) for _ in range(length)], name=name, dtype=float
        ),
        "texts": lambda: pd.Index([draw(texts) for _ in range(length)], dtype="object", name=name),
        "dates": lambda: pd.date_range(
            "2024-01-01", periods=length, name=name, tz=draw(st.sampled_from([None, "UTC"]))
        ),
        "loose dates": lambda: pd.DatetimeIndex(list(pd.date_range("2024-01-01", periods=length)), name=name),
        "categories": lambda: pd.CategoricalIndex([draw(texts) for _ in range(length)], name=name),
        "levels": lambda: pd.MultiIndex.from_arrays(
            [list(range(length)), [draw(texts) for _ in range(length)]], names=[name, draw(names)]
        ),
        "periods": lambda: pd.period_range(
            "2024-01", periods=length, freq=draw(st.sampled_from(["M", "D"])), name=name
        ),
    }
    return some[draw(st.sampled_from(sorted(some)))]()


@st.composite
def series(draw: st.DrawFn) -> Any:
    made = draw(columns())
    return made.set_axis(draw(indexes())) if draw(st.booleans()) else made


@st.composite
def changed_series(draw: st.DrawFn, made: Any) -> Any:
    how = draw(st.sampled_from(["same", "kind", "name", "index", "order", "item", "near", "categories", "ordered"]))
    other = made.copy()
    if how == "name":
        return other.rename(draw(names))
    if how == "index":
        return other.set_axis(draw(indexes()))
    if how == "order":
        return other.iloc[::-1] if draw(st.booleans()) else other.iloc[::-1].set_axis(other.index)
    if how == "kind":
        try:
            return other.astype(draw(st.sampled_from(["float64", "Int64", "object", "category", "int64", "str"])))
        except (ValueError, TypeError):
            return other
    if how == "item" and len(other):
        kind = next((kind for kind in COLUMNS if kind == str(other.dtype)), "")
        if kind and kind != "category":
            items = list(other)
            items[draw(st.integers(0, len(other) - 1))] = column(kind, [draw(COLUMNS[kind])]).iloc[0]
            return pd.Series(items, dtype=other.dtype, index=other.index, name=other.name)
    if how == "near" and len(other) and str(other.dtype) in ("float64", "Float64"):
        return other * (1 + draw(NEAR))
    if str(other.dtype) == "category":
        if how == "categories":
            return other.cat.add_categories(["z"])
        if how == "ordered":
            return (
                other.cat.reorder_categories(list(other.cat.categories)[::-1])
                if draw(st.booleans())
                else other.cat.as_ordered()
            )
    return other


pairs_of_series = series().flatmap(lambda made: st.tuples(st.just(made), changed_series(made) | series()))


@given(pairs_of_series)
@example((pd.Series([1, 2]), pd.Series([1.0, 2.0])))
@example((pd.Series(["a", None], dtype=object), pd.Series(["a", np.nan], dtype=object)))
@example((pd.Series([1.0]), pd.Series([1.000005])))
@example((pd.Series([pd.NaT], dtype=object), pd.Series([None], dtype=object)))
def test_series_are_the_same_where_pandas_says_so(pair: tuple[Any, Any]) -> None:
    left, right = pair
    assert ours(left, right) is said_by(pd.testing.assert_series_equal, left, right)


@given(st.lists(columns(), max_size=3), st.lists(names, min_size=3, max_size=3), st.data())
def test_frames_are_the_same_where_pandas_says_so(made: list[Any], labels: list[Any], data: st.DataObject) -> None:
    left = frame(made, labels)
    right = left.copy()
    if made:
        how = data.draw(st.sampled_from(["same", "column", "labels", "order", "fewer", "index"]))
        at = data.draw(st.integers(0, len(made) - 1))
        if how == "column":
            changed = data.draw(changed_series(made[at]))
            right = frame([*made[:at], changed.reset_index(drop=True), *made[at + 1 :]], labels)
        elif how == "labels":
            right = frame(made, data.draw(st.permutations(labels)))
        elif how == "order":
            right = left.iloc[:, ::-1] if data.draw(st.booleans()) else left.iloc[::-1]
        elif how == "fewer":
            right = left.iloc[:, 1:] if data.draw(st.booleans()) else left.iloc[1:]
        elif how == "index":
            right = left.set_axis(data.draw(indexes()))
    assert ours(left, right) is said_by(pd.testing.assert_frame_equal, left, right)


def frame(made: list[Any], labels: list[Any]) -> Any:
    """Labels may be there twice."""
    if not made:
        return pd.DataFrame()
    joined = pd.concat(made, axis=1)
    joined.columns = pd.Index(labels[: len(made)], dtype=object)
    return joined


@given(indexes(), indexes() | st.none())
@example(pd.RangeIndex(3), pd.Index([0, 1, 2]))
@example(pd.Index([0.5]), pd.Index([0.5 + 3e-7]))
def test_indexes_are_the_same_where_pandas_says_so(left: Any, right: Any) -> None:
    if right is None:
        right = left[::-1]
    near = left.dtype == right.dtype == np.dtype("float64")  # there our own tolerances are wider than none
    how = {"check_exact": False, **OURS} if near else {}
    assert ours(left, right) is said_by(pd.testing.assert_index_equal, left, right, **how)


@given(columns())
def test_what_a_column_holds_is_the_same_as_itself_alone(made: Any) -> None:
    assert ours(made.array, made.copy().array) is True
    assert ours(made, made.to_frame()) is False
    assert ours(made, list(made)) is False


def test_what_is_missing_is_told_apart() -> None:
    missing = [None, np.nan, pd.NA, pd.NaT, np.ma.masked]
    for at, left in enumerate(missing):
        assert [ours(left, right) for right in missing] == [at == place for place in range(len(missing))]
