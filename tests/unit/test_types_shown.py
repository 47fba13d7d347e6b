"""Values of other packages as a person reads them: a dtype only where the items do not tell it."""

from __future__ import annotations

from typing import Any

import pytest

from mpt.spelling import literal
from mpt.values import Value
from mpt.worker import codec

np = pytest.importorskip("numpy")
pd = pytest.importorskip("pandas")

SHOWN: list[tuple[Any, str]] = [
    (np.array([[1, 2]]), "array([[1, 2]])"),
    (np.array([1.5], dtype="f4"), "array([1.5], dtype=float32)"),
    (np.zeros((0, 3)), "array([], shape=(0, 3))"),
    (np.array([], dtype=int), "array([], dtype=int64)"),
    (np.array(["a", "b"]), "array(['a', 'b'])"),
    (np.ma.array([1, 2], mask=[True, False]), "array([masked, 2])"),
    (np.array([(1, 2.0)], dtype=[("a", "i4"), ("b", "f8")])[0], "void(a=1, b=2.0)"),
    (np.array(["2024-01-01"], "M8[ns]"), "array([datetime64('2024-01-01T00:00:00')], dtype='datetime64[ns]')"),
    (np.timedelta64(3, "ns"), "timedelta64(3, 'ns')"),
    (pd.Series([1, 2]), "Series([1, 2])"),
    (pd.Series([1, 2], index=["x", "y"], name="n"), "Series([1, 2], index=['x', 'y'], name='n')"),
    (pd.Series([1, None], dtype="Int64"), "Series([1, NA], dtype=Int64)"),
    (pd.Series(["a"], dtype="category"), "Series(['a'], dtype='category')"),
    (pd.Series([1], index=pd.Index([5], name="k")), "Series([1], index=Index([5], name='k'))"),
    (pd.DataFrame({"a": [1], "b": [0.5]}), "DataFrame({'a': [1], 'b': [0.5]})"),
    (pd.DataFrame({"a": [1]}).astype("int8"), "DataFrame({'a': Series([1], dtype=int8)})"),
    (pd.DataFrame([[1, 2]], columns=["a", "a"]), "DataFrame({'a': [1], 'a': [2]})"),
    (pd.DataFrame(), "DataFrame({})"),
    (pd.RangeIndex(3), "RangeIndex(3)"),
    (pd.RangeIndex(4, 0, -2), "RangeIndex(4, 0, -2)"),
    (pd.MultiIndex.from_tuples([(1, "a")], names=["x", None]), "MultiIndex([(1, 'a')], names=['x', None])"),
    (pd.NaT, "NaT"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "shown"), SHOWN, ids=[shown for _, shown in SHOWN])
def test_shown(value: Any, shown: str) -> None:
    assert literal(Value(codec.encode(value))) == shown
