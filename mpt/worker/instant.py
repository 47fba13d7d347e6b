"""The same moment always: a program that asks for the time or the date answers alike in every run.

What `time` and `datetime` say of now is fixed. What measures how long something takes is not (`monotonic`,
`perf_counter`, the clocks of CPU time), nor are `time.clock_gettime` and what other packages ask the system themselves
(`numpy.datetime64("now")`).
"""

from __future__ import annotations

import ctypes
import datetime
import gc
import sys
import time
from collections.abc import Callable
from typing import Any, Optional

INSTANT_S = 1_704_164_645
"""2024-01-02 03:04:05 UTC, a Tuesday, in seconds since the epoch."""


def fix() -> None:
    """From here on it is INSTANT_S in this process and its children."""
    clock: Any = time
    moment, moment_ns = float(INSTANT_S), INSTANT_S * 1_000_000_000
    strftime, asctime, localtime = time.strftime, time.asctime, time.localtime
    clock.time = lambda: moment
    clock.time_ns = lambda: moment_ns
    for name in ("gmtime", "localtime", "ctime"):
        setattr(clock, name, _of_moment(getattr(time, name)))
    clock.strftime = lambda form, parts=None: strftime(form, localtime(moment) if parts is None else parts)
    clock.asctime = lambda parts=None: asctime(localtime(moment) if parts is None else parts)
    if sys.implementation.name == "cpython":  # others ask time.time, as `today` does here
        _fix_datetime()


def _of_moment(function: Callable[[float], Any]) -> Callable[..., Any]:
    return lambda seconds=None: function(INSTANT_S if seconds is None else seconds)


def _fix_datetime() -> None:
    """In the type itself, so that it stays the type of all its values, for isinstance, pickle and our codec."""
    methods = gc.get_referents(datetime.datetime.__dict__)[0]
    methods["now"], methods["utcnow"] = classmethod(_now), classmethod(_utcnow)
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(datetime.datetime))


def _now(cls: type[datetime.datetime], tz: Optional[datetime.tzinfo] = None) -> datetime.datetime:
    return cls.fromtimestamp(INSTANT_S, tz)


def _utcnow(cls: type[datetime.datetime]) -> datetime.datetime:
    return cls.fromtimestamp(INSTANT_S, datetime.timezone.utc).replace(tzinfo=None)
