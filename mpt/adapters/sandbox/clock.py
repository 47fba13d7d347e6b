"""When has something run too long? Both its CPU time and the wall clock count, so that a busy machine changes nothing.

Something may use its limit of CPU time, and PATIENCE times that by the wall clock: what computes is stopped by the
first, what sleeps or waits by the second.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

from mpt.values import Limits

Look = Literal["fine", "ask", "over"]
PATIENCE = 3.0
_AGAIN_S = 0.02
"""The CPU time is not asked for more often than this."""


NOMINAL_S = 0.002
"""What the worker's calibration takes on the machine that limits are meant for."""
_SLOWEST = 20.0


def scaled(limits: Limits, calibration_s: float) -> Limits:
    """The limits of this machine: longer where it is slower than the nominal one, so that verdicts do not change."""
    slowness = min(max(calibration_s / NOMINAL_S, 1.0), _SLOWEST)
    return replace(
        limits,
        load_s=limits.load_s * slowness,
        input_s=limits.input_s * slowness,
        program_s=limits.program_s * slowness,
    )


@dataclass(frozen=True, slots=True)
class Clock:
    """One stretch of running. Seconds; `wall` and `cpu` are when it began, monotonic and of the child's own CPU time.

    look_at: when its CPU time is next worth asking for.
    """

    limit_s: float
    wall: float
    cpu: float
    look_at: float

    def over(self, now: float) -> bool:
        """By the wall clock alone."""
        return now >= self.wall + PATIENCE * self.limit_s

    def used_up(self, cpu: float) -> bool:
        """By CPU time alone."""
        return cpu - self.cpu >= self.limit_s

    def again(self, cpu: float, now: float) -> Clock:
        """The same stretch, looked at later."""
        return replace(self, look_at=now + max(self.limit_s - (cpu - self.cpu), _AGAIN_S))


def started(limit_s: float, now: float, cpu: float = 0.0) -> Clock:
    return Clock(limit_s, now, cpu, now + limit_s)


class Clocks:
    """Of one child: the step it is in and the whole it belongs to. `before` is CPU time of earlier children."""

    def __init__(self, step: Clock, whole: Clock, before: float = 0.0) -> None:
        self.step = step
        self.whole = whole
        self._before = before
        self._asked = False

    def next(self, limit_s: float, now: float, cpu: float) -> None:
        """The next step begins, the child having used `cpu` seconds."""
        self.step = started(limit_s, now, cpu)

    @property
    def look_at(self) -> float:
        """When to look at the clocks; infinite while an answer is awaited, which brings another look."""
        return math.inf if self._asked else min(self.step.look_at, self.whole.look_at)

    def look(self, now: float) -> Look:
        """Is it over, or is its CPU time worth asking for?"""
        if self.step.over(now) or self.whole.over(now):
            return "over"
        if now < self.look_at:
            return "fine"
        self._asked = True
        return "ask"

    def used(self, cpu: float, now: float) -> bool:
        """The child has used `cpu` seconds: is its time over?"""
        self._asked = False
        if self.step.used_up(cpu) or self.whole.used_up(self._before + cpu):
            return True
        self.step = self.step.again(cpu, now)
        self.whole = self.whole.again(self._before + cpu, now)
        return False
