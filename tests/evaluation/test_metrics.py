"""The statistics, by hand and against the plainest way to compute them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpt.evaluation.metrics import Counts, Judged, auroc, brier, count, intervals, recall_at, reliability, roc, worth


def judged(wrong: bool, score: float | None, *, reported: bool = False, task: str = "t") -> Judged:
    return Judged(task, wrong, reported, score, score)


def test_counts_by_hand() -> None:
    seen = [judged(True, 0.9, reported=True), judged(False, 0.8, reported=True), judged(True, None), judged(False, 0.1)]
    assert count(seen) == Counts(tp=1, fp=1, tn=1, fn=1)
    counts = Counts(tp=6, fp=2, tn=8, fn=4)
    assert (counts.accuracy, counts.precision, counts.recall, counts.fpr) == (0.7, 0.75, 0.6, 0.2)
    assert Counts(0, 0, 3, 0).precision is None


def test_what_a_warning_is_worth_elsewhere() -> None:
    counts = Counts(tp=75, fp=5, tn=95, fn=25)
    assert worth(counts, 0.10) == pytest.approx(0.075 / (0.075 + 0.045))


def test_recall_at_a_rate_counts_those_never_judged() -> None:
    seen = [judged(True, 0.9), judged(True, None), judged(False, 0.5), judged(False, 0.4)]
    assert recall_at(seen, 0.0) == 0.5
    assert recall_at(seen, 1.0) == 0.5


def test_brier_and_reliability_by_hand() -> None:
    seen = [judged(True, 0.75), judged(False, 0.75), judged(False, 0.0), judged(True, None)]
    assert brier(seen) == pytest.approx((0.0625 + 0.5625) / 3)
    assert [(part.count, part.said, part.seen) for part in reliability(seen)] == [(1, 0.0, 0.0), (2, 0.75, 0.5)]


samples = st.lists(st.builds(judged, st.booleans(), st.none() | st.sampled_from([0.0, 0.25, 0.5, 1.0])), max_size=20)


@given(samples)
def test_auroc_is_the_share_of_pairs_in_order(seen: list[Judged]) -> None:
    wrong = [one.score for one in seen if one.wrong and one.score is not None]
    right = [one.score for one in seen if not one.wrong and one.score is not None]
    if not wrong or not right:
        assert auroc(seen) is None
        return
    pairs = [(a > b) + (a == b) / 2 for a in wrong for b in right]
    assert auroc(seen) == pytest.approx(sum(pairs) / len(pairs))


@given(samples)
def test_the_roc_curve_never_falls(seen: list[Judged]) -> None:
    points = roc(seen)
    assert [(point.fpr, point.recall) for point in points] == sorted((point.fpr, point.recall) for point in points)


@given(samples, st.integers(1, 4))
def test_a_weight_is_so_many_alike(seen: list[Judged], weight: int) -> None:
    heavy = [replace(one, weight=weight) for one in seen]
    for measure in (auroc, brier):
        assert measure(heavy) == pytest.approx(measure(seen * weight))
    assert count(heavy) == count(seen * weight)
    assert [point.recall for point in roc(heavy)] == [point.recall for point in roc(seen * weight)]
    assert [part.count for part in reliability(heavy)] == [part.count for part in reliability(seen * weight)]


def test_intervals_draw_whole_tasks() -> None:
    seen = [judged(task == "a", 0.5, reported=True, task=task) for task in "ab" for _ in range(10)]
    found = intervals(seen, {"precision": lambda sample: count(sample).precision}, seed=0)
    assert found["precision"] == (0.0, 1.0)
    assert found == intervals(seen, {"precision": lambda sample: count(sample).precision}, seed=0)
