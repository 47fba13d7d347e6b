"""What is asked of a worker: many programs on many inputs, several at a time, or one task of its own."""

from __future__ import annotations

import json
import os
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from mpt.adapters.sandbox import clock, decode
from mpt.adapters.sandbox.children import Child, Children, Ended, Order, Sent
from mpt.adapters.sandbox.clock import Clock
from mpt.adapters.sandbox.course import Course
from mpt.adapters.sandbox.process import IMPORT_LOADS, Worker, importing_of
from mpt.ports import Watch
from mpt.values import Importing, Limits, Stopped
from mpt.worker.start import IMPORT

_POLL_S = 0.1
"""How often a person's "stop" is looked for."""
_AHEAD = 2
"""Children beyond one a processor: some start or end, and no processor waits for us."""


def run(worker: Worker, courses: Sequence[Course], limits: Limits, until: float, watch: Watch) -> None:
    """Brings every course to its end; `until`: when the check is over, by the monotonic clock.

    After any exception the worker must be closed: children may still run.
    Raises WorkerBroken, Cancelled.
    """
    limits = _of(worker, limits)
    seed = worker.setup.hash_seed
    waiting = deque(course for course in courses if not course.finished)
    running: dict[Child, Course] = {}
    children = Children(worker)
    try:
        while waiting or running:
            watch.check()
            if time.monotonic() >= until:
                _give_up(children, waiting, running, watch)
            while waiting and len(running) < parallel() + _AHEAD:
                course = waiting.popleft()
                running[children.start(course.order(seed, limits))] = course
            for event in children.wait(_POLL_S):
                match event:
                    case Sent(child, frames):
                        _sent(children, running[child], child, frames)
                    case Ended(child):
                        course = running.pop(child)
                        course.ended(child)
                        if course.finished:
                            watch.advance()
                        else:
                            waiting.appendleft(course)
    finally:
        children.close()


def call(worker: Worker, task: str, request: Mapping[str, object], limits: Limits, watch: Watch) -> Iterator[object]:
    """What one task emits, in order; a Stopped comes last when it did not come to its end. Exceptions as in `run`."""
    limits = _of(worker, limits)
    children = Children(worker)
    try:
        children.start(Order(task, json.dumps(request), limits, Clock(limits.program_s, time.monotonic())))
        while True:
            watch.check()
            for event in children.wait(_POLL_S):
                match event:
                    case Sent(child, frames):
                        try:
                            items = list(map(decode.item, frames))
                        except decode.Forged as forged:
                            children.end_forger(child, forged)
                        else:
                            yield from items
                    case Ended(child):
                        if child.ended_by:
                            yield child.ended_by
                        return
    finally:
        children.close()


def imported(worker: Worker, limits: Limits, watch: Watch) -> Importing:
    """What comes of importing the module of a worker whose children do that each for itself. Exceptions as in `run`."""
    last = [None, *call(worker, IMPORT, {}, limits, watch)][-1]
    if isinstance(last, Stopped) and last.cause == "time":
        return Importing("importing it does not end in time")
    if isinstance(last, Stopped):
        return Importing(f"importing it ends the process ({last.cause})")
    return importing_of(last)


def _of(worker: Worker, limits: Limits) -> Limits:
    """The limits on this machine; loading a program takes longer where each imports its module."""
    limits = clock.scaled(limits, worker.greeting.calibration_s)
    if worker.setup.module is None or worker.setup.wall.forks:
        return limits
    return replace(limits, load_s=(1 + IMPORT_LOADS) * limits.load_s)


def parallel() -> int:
    """Processors we may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _give_up(children: Children, waiting: deque[Course], running: Mapping[Child, Course], watch: Watch) -> None:
    """The check's time is over: what has no outcome gets none any more."""
    for child, course in running.items():
        course.give_up()
        children.end(child, "time")
    for course in waiting:
        course.give_up()
        watch.advance()
    waiting.clear()


def _sent(children: Children, course: Course, child: Child, frames: Sequence[bytes]) -> None:
    try:
        course.sent(frames, child.limits.output_bytes)
    except decode.Forged as forged:
        children.end_forger(child, forged)
    if course.overflowed:
        children.end(child, "output")
