"""What computes is charged its CPU time, what waits the wall clock; patience ends."""

from __future__ import annotations

import math

import pytest

from mpt.adapters.sandbox.clock import NOMINAL_S, PATIENCE, Clock, Clocks, scaled
from mpt.values import Limits


def test_what_computes_alone_is_over_when_its_time_is() -> None:
    clock = Clock(1.0, now=100.0)
    assert clock.look_at == 101.0
    assert clock.charge(cpu=0.99, now=101.0) is False
    assert clock.charge(cpu=1.04, now=101.05) is True


def test_what_waits_for_its_turn_on_a_busy_machine_loses_nothing() -> None:
    clock = Clock(1.0, now=0.0)
    assert [clock.charge(cpu=0.03 * now, now=now) for now in range(1, 30)] == [False] * 29
    assert clock.charge(cpu=1.1, now=29.5) is True


@pytest.mark.parametrize("used", [0.0, 0.004])
def test_what_sleeps_is_charged_the_wall_clock(used: float) -> None:
    assert Clock(1.0, now=0.0).charge(cpu=used, now=1.0) is True


def test_patience_ends() -> None:
    clock = Clock(1.0, now=0.0)
    assert not clock.late(PATIENCE - 0.1)
    assert clock.late(PATIENCE)


def test_a_step_and_the_whole_are_watched_together() -> None:
    clocks = Clocks(Clock(1.0, 0.0), Clock(2.0, 0.0))
    assert clocks.look(0.9) == "fine"
    assert clocks.look(1.0) == "ask"
    assert clocks.look_at == math.inf, "it asks once"
    assert clocks.used(cpu=0.9, now=1.0) is False
    clocks.next(1.0, now=1.1, cpu=0.9)
    assert clocks.look(2.2) == "ask"
    assert clocks.used(cpu=2.05, now=2.2) is True, "the whole is over, the step is not"


def test_what_earlier_children_used_counts_for_the_whole() -> None:
    whole = Clock(2.0, 0.0)
    clocks = Clocks(Clock(1.0, 1.5, 0.0), whole, before=1.5)
    assert clocks.used(cpu=0.6, now=2.2) is True


def test_limits_grow_with_slowness_but_never_shrink() -> None:
    limits = Limits(load_s=1.0, input_s=2.0, program_s=3.0, check_s=4.0)
    assert scaled(limits, NOMINAL_S / 10) == limits
    assert scaled(limits, NOMINAL_S * 2) == Limits(load_s=2.0, input_s=4.0, program_s=6.0, check_s=8.0)
    assert scaled(limits, 1000.0).input_s < 100
