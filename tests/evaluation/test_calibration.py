"""Fitting finds numbers that are there, and a task is never judged by numbers that have seen it."""

from __future__ import annotations

import math
from random import Random

import pytest

from mpt.evaluation.calibration import FOLDS, Sample, fit, fold_of, out_of_fold, warn_from
from mpt.evaluation.metrics import Judged
from mpt.validation import Weights
from mpt.validation.default import probability
from mpt.validation.signals import Signals


def samples(weights: Weights, count: int) -> list[Sample]:
    random = Random(0)
    made = []
    for n in range(count):
        signals = Signals(random.choice([0.0, 0.4, 1.0]), random.choice([0.0, 0.3, 0.7]), random.choice([0.0, 0.5]))
        made.append(Sample("e", f"T/{n}", signals, random.random() < probability(signals, weights)))
    return made


def test_the_fitted_probabilities_are_those_the_samples_were_made_with() -> None:
    true = Weights(base=-2.0, differing=1.0, peak=3.0, example=2.0)
    fitted = fit(samples(true, 4000), Weights())
    for signals in (Signals(0, 0, 0), Signals(1, 0.7, 0), Signals(0.4, 0.3, 0.5)):
        assert probability(signals, fitted) == pytest.approx(probability(signals, true), abs=0.06)


def test_no_weight_falls_below_nothing() -> None:
    against = [Sample("e", f"T/{n}", Signals(n % 2, 0, 0), wrong=n % 2 == 0) for n in range(20)]
    assert fit(against, Weights()).differing == 0.0


def test_ten_samples_of_one_task_weigh_as_one() -> None:
    one = [Sample("e", "T/0", Signals(1, 0, 0), True), Sample("e", "T/1", Signals(0, 0, 0), False)]
    assert fit([*one, *[one[0]] * 9], Weights()) == fit(one, Weights())


def test_out_of_fold_knows_nothing_of_its_own_task() -> None:
    seen = samples(Weights(), 60)
    lied = [
        Sample(one.experiment, one.task_id, one.signals, not one.wrong) for one in seen if fold_of(one.task_id) == 0
    ]
    rest = [one for one in seen if fold_of(one.task_id) != 0]
    told = dict(zip([one.task_id for one in seen], out_of_fold(seen, Weights()), strict=True))
    again = dict(zip([one.task_id for one in [*lied, *rest]], out_of_fold([*lied, *rest], Weights()), strict=True))
    assert {fold_of(one.task_id) for one in seen} == set(range(FOLDS))
    assert all(math.isclose(told[one.task_id], again[one.task_id]) for one in lied)


def test_a_word_warns_as_early_as_its_false_alarms_allow() -> None:
    said = [(False, 0.1), (False, 0.2), (False, 0.3), (False, None), (True, 0.25), (True, 0.9)]
    unseen = [Judged("T/0", wrong, False, chance, chance) for wrong, chance in said]
    assert warn_from(unseen, 0.5) == 0.11  # 0.2 and 0.3 of four right ones
    assert warn_from(unseen, 0.0) == 0.31
