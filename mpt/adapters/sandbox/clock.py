"""When has something run too long? A busy or a slow machine must not change the answer.

What a program is charged for is its CPU time while it computes and the wall clock while it does not (it sleeps, waits,
was stopped): so one that merely waits for its turn on a busy machine loses nothing. Limits grow with the machine's
slowness. Whatever happens, PATIENCE times the limit by the wall clock is the end.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Literal

from mpt.values import Limits

Look = Literal["fine", "ask", "over"]
PATIENCE = 30.0
NOMINAL_S = 0.002
"""What the worker's calibration takes on the machine that limits are meant for."""
_SLOWEST = 20.0
_COMPUTING = 0.005
"""Less CPU time than this share of the wall clock is not computing."""
_AGAIN_S = 0.05
"""CPU time is not asked for more often than this."""


def scaled(limits: Limits, calibration_s: float) -> Limits:
    """The limits on this machine, longer where it is slower than the nominal one."""
    slowness = min(max(calibration_s / NOMINAL_S, 1.0), _SLOWEST)
    return replace(
        limits,
        load_s=limits.load_s * slowness,
        input_s=limits.input_s * slowness,
        program_s=limits.program_s * slowness,
        check_s=limits.check_s * slowness,
    )


class Clock:
    """One stretch of running. Seconds; `now` is monotonic, `cpu` what the child has used of CPU time."""

    def __init__(self, limit_s: float, now: float, cpu: float = 0.0) -> None:
        self.restart(limit_s, now, cpu)

    def restart(self, limit_s: float, now: float, cpu: float) -> None:
        """As if new."""
        self._limit_s = limit_s
        self._end = now + PATIENCE * limit_s
        self._seen_at = now
        self._seen_cpu = cpu
        self._charged = 0.0
        self.look_at = now + limit_s
        """When it can be over at the earliest, and its CPU time is worth asking for."""

    def late(self, now: float) -> bool:
        """Past all patience?"""
        return now >= self._end

    def charge(self, cpu: float, now: float) -> bool:
        """It has used `cpu` by now: is it over?"""
        passed, used = now - self._seen_at, cpu - self._seen_cpu
        self._charged += used if used > _COMPUTING * passed else passed
        self._seen_at, self._seen_cpu = now, cpu
        self.look_at = now + max(self._limit_s - self._charged, _AGAIN_S)
        return self._charged >= self._limit_s


class Clocks:
    """Of one child: the step it is in and the whole it belongs to. `before`: CPU time of children before it."""

    def __init__(self, step: Clock, whole: Clock, before: float = 0.0) -> None:
        self._step = step
        self._whole = whole
        self._before = before
        self._asked = False

    def next(self, limit_s: float, now: float, cpu: float) -> None:
        """The next step begins, the child having used `cpu` seconds."""
        self._step.restart(limit_s, now, cpu)

    @property
    def look_at(self) -> float:
        """When to look at the clocks; infinite while an answer is awaited, which brings another look."""
        return math.inf if self._asked else min(self._step.look_at, self._whole.look_at)

    def look(self, now: float) -> Look:
        """Is it over, or is its CPU time worth asking for?"""
        if self._step.late(now) or self._whole.late(now):
            return "over"
        if now < self.look_at:
            return "fine"
        self._asked = True
        return "ask"

    def used(self, cpu: float, now: float) -> bool:
        """The child has used `cpu` seconds: is its time over?"""
        self._asked = False
        whole = self._whole.charge(self._before + cpu, now)
        return self._step.charge(cpu, now) or whole
