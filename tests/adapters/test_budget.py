"""Hard limits of calls: counted before anything is sent."""

from __future__ import annotations

import pytest

from fakes import FakeStore, FakeWatch
from mpt.adapters.budget import BudgetedModel, DaySpent, spent_on, utc_today
from mpt.adapters.kept import KeptModel
from mpt.adapters.sqlite_store import SqliteStore
from mpt.errors import BudgetExceeded, ModelUnavailable
from mpt.values import Message, Reply, Request

DAY = "2026-01-31"


class Counting:
    """Answers and counts; `broken` fails every request."""

    name = "m"

    def __init__(self, broken: bool = False) -> None:
        self.sent = 0
        self.broken = broken

    def arrivals(self, requests, watch):
        for index, _ in enumerate(requests):
            self.sent += 1
            if self.broken:
                raise ModelUnavailable("gone")
            yield index, Reply("x", 10, 3)

    def close(self) -> None: ...


def batch(count: int, text: str = "a") -> list[Request]:
    return [Request((Message("user", text),), 1.0, 5, "t", sample=n) for n in range(count)]


def budgeted(inner, store, per_check: int = 10, per_day: int = 100, day: str = DAY) -> BudgetedModel:
    return BudgetedModel(inner, store, per_check, per_day, lambda: day)


def test_counts_calls_and_tokens_of_the_day():
    store = FakeCounters()
    budgeted(Counting(), store).complete(batch(3), FakeWatch())
    assert spent_on(store, DAY) == DaySpent(calls=3, tokens=39)
    assert spent_on(store, "2026-02-01") == DaySpent(calls=0, tokens=0)


class FakeCounters(FakeStore):
    """Counters read back as kept texts, as both real stores have it."""

    def get(self, kind: str, key: str) -> str | None:
        total = self.counters.get((kind, key))
        return super().get(kind, key) if total is None else str(total)


def test_one_check_may_not_pass_its_limit_and_then_nothing_is_sent():
    store, inner = FakeCounters(), Counting()
    model = budgeted(inner, store, per_check=5)
    model.complete(batch(3), FakeWatch())
    with pytest.raises(BudgetExceeded) as caught:
        model.complete(batch(3), FakeWatch())
    assert str(caught.value) == (
        "this check would make 6 language model calls and may make 5: "
        "nothing more was sent; max_calls_per_check raises the limit"
    )
    assert inner.sent == 3
    assert spent_on(store, DAY).calls == 3
    model.complete(batch(2), FakeWatch())


def test_each_check_has_a_count_of_its_own():
    store, inner = FakeCounters(), Counting()
    for _ in range(3):
        budgeted(inner, store, per_check=5).complete(batch(5), FakeWatch())
    assert inner.sent == 15


def test_all_checks_share_the_day():
    store, inner = FakeCounters(), Counting()
    budgeted(inner, store, per_day=7).complete(batch(5), FakeWatch())
    with pytest.raises(BudgetExceeded) as caught:
        budgeted(inner, store, per_day=7).complete(batch(3), FakeWatch())
    assert str(caught.value) == (
        "5 of 7 language model calls are spent today and 3 more are wanted: "
        "nothing more was sent; max_calls_per_day raises the limit"
    )
    assert inner.sent == 5
    budgeted(inner, store, per_day=7, day="2026-02-01").complete(batch(3), FakeWatch())


def test_a_limit_of_none_sends_nothing():
    inner = Counting()
    with pytest.raises(BudgetExceeded):
        budgeted(inner, FakeCounters(), per_day=0).complete(batch(1), FakeWatch())
    assert inner.sent == 0


def test_what_failed_counts_as_asked():
    store = FakeCounters()
    with pytest.raises(ModelUnavailable):
        budgeted(Counting(broken=True), store).complete(batch(2), FakeWatch())
    assert spent_on(store, DAY).calls == 2


def test_what_is_kept_costs_nothing(tmp_path):
    store = SqliteStore(tmp_path / "kept.db")
    inner = Counting()
    for _ in range(3):
        KeptModel(budgeted(inner, store, per_check=4, per_day=4), store).complete(batch(4), FakeWatch())
    assert spent_on(store, DAY) == DaySpent(calls=4, tokens=52)
    store.close()


def test_today_is_an_iso_date():
    assert len(utc_today()) == 10
