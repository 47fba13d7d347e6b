"""Inputs come back from a store as they were put there, whatever they hold."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fakes import FakeFuzzer, FakeStore, FakeWatch
from mpt.adapters.kept import KeptFuzzer
from mpt.spelling import value_of
from mpt.values import Arguments, Campaign, FuzzBudget, Origin, Program

LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.complex_numbers() | st.binary() | st.text()
ANY_TEXT = st.text(st.characters())  # lone surrogates too
HASHABLE = st.integers() | ANY_TEXT | st.tuples(st.floats(allow_nan=False))
VALUES = st.recursive(
    LEAVES | ANY_TEXT | st.frozensets(HASHABLE),
    lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(HASHABLE, inner),
    max_leaves=8,
).map(value_of)
NAMED = st.lists(st.tuples(ANY_TEXT, VALUES), max_size=2).map(tuple)
CALLS = st.builds(
    Arguments,
    st.lists(VALUES, max_size=3).map(tuple),
    NAMED,
    st.sampled_from(["example", "seed", "fuzzed", "shrunk"]),
    st.sampled_from(["", "afl", "loop"]),
)


@given(st.lists(CALLS, max_size=4).map(tuple))
def test_what_is_kept_comes_back(found):
    store, campaign = FakeStore(), Campaign(Program("", "f", Origin("target")), ())
    budget = FuzzBudget(inputs=len(found))
    KeptFuzzer(FakeFuzzer(found), store).fuzz(campaign, budget, FakeWatch())
    again = KeptFuzzer(FakeFuzzer(), store).fuzz(campaign, budget, FakeWatch())
    assert [repr(call) for call in again] == [repr(call) for call in found]
