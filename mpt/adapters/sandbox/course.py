"""One program's way through the inputs: what it is to do next, and what came of each call."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence

from mpt.adapters.sandbox import decode
from mpt.adapters.sandbox.children import Child, Order
from mpt.adapters.sandbox.clock import Clock
from mpt.values import Arguments, Limits, Outcome, Program, Stopped

STOPS = 3
"""A program that had to be ended so often is not started again: the rest of its calls are taken to end alike."""
_REMEMBERED = 4096
"""Bytes of an answer that is worth remembering."""
_BULK = 64
"""All outcomes of a program together may be so many times as long as one may be."""


class Batch:
    """The calls that several programs make, spelt once; and what was read of their answers, once for equal ones."""

    def __init__(self, inputs: Sequence[Arguments]) -> None:
        self.inputs = inputs
        self.lines = "\n".join(map(_line, inputs))
        self._read: dict[bytes, decode.Reading] = {}

    def reading(self, frame: bytes, index: int) -> decode.Reading:
        """What a frame says that may be about the call number `index`. Raises decode.Forged."""
        known = self._read.get(frame)
        if known is None:
            known = decode.reading(frame, self.inputs[index])
            if len(frame) < _REMEMBERED:
                self._read[frame] = known
        return known


def _line(arguments: Arguments) -> str:
    """One call as `mpt.worker.runner` wants it."""
    positional = ",".join(value.wire for value in arguments.positional)
    if "{" not in positional and not arguments.keyword:
        return f"P[{positional}]"
    keyword = ",".join(f"{json.dumps(name)}:{value.wire}" for name, value in arguments.keyword)
    return f"T[[{positional}],{{{keyword}}}]"


class Course:
    """A state machine that does nothing itself: loading → calling → finished.

    A child that ends early puts it back to loading, with the call it was in Stopped, or to finished.
    """

    def __init__(self, program: Program, batch: Batch) -> None:
        self._program = program
        self._batch = batch
        self.restart()

    def restart(self) -> None:
        """From the beginning, as if nothing had been."""
        self._loaded = False
        self._stops = 0
        self._bytes = 0
        self._clock: Clock | None = None
        self.overflowed = False
        """It has said so much that the rest is not wanted."""
        self.cpu_s = 0.0
        """What its children that have ended have used."""
        self.outcomes: list[Outcome] = []
        self.printed = {"stdout": "", "stderr": ""}

    @property
    def finished(self) -> bool:
        return len(self.outcomes) == len(self._batch.inputs)

    def order(self, seed: int, limits: Limits) -> Order:
        """For a fresh child: go on from the first input that has no outcome."""
        self._loaded = False
        self._clock = self._clock or Clock(limits.program_s, time.monotonic())
        body: dict[str, object] = {
            "source": self._program.source,
            "entry_point": self._program.entry_point,
            "seed": seed,
            "first": len(self.outcomes),
        }
        if self._program.place:
            body["place"] = [self._program.place.name, self._program.place.kind]
        return Order("runner", json.dumps(body), limits, self._clock, self.cpu_s, self._batch.lines)

    def sent(self, frames: Sequence[bytes], limit: int) -> None:
        """`limit`: bytes that one outcome may have. Raises decode.Forged."""
        for frame in frames:
            if self.overflowed:
                return
            if self.finished:
                raise decode.Forged("more outcomes than calls")
            self._take(self._batch.reading(frame, len(self.outcomes)))
            self._bytes += len(frame)
            if self._bytes > _BULK * limit:
                self.overflowed = True
                self._fill(Stopped("output", "all its answers together are too long"))

    def _take(self, reading: decode.Reading) -> None:
        match reading:
            case decode.Called(number, outcome) if self._loaded and number == len(self.outcomes):
                self.outcomes.append(outcome)
            case decode.Loaded() if not self._loaded:
                self._loaded = True
            case decode.Unloadable(outcome) if not self._loaded:
                self._fill(outcome)
            case _:
                raise decode.Forged("out of turn")

    def ended(self, child: Child) -> None:
        """The child is gone."""
        stopped = child.ended_by
        self.cpu_s += child.cpu_s
        for stream, data in child.printed.items():
            self.printed[stream] += data.decode("utf-8", "replace")
        if child.forged and stopped:
            self.outcomes = [stopped] * len(self._batch.inputs)
        if self.finished:
            return
        stopped = stopped or Stopped("blocked", "it said that it was done when it was not")
        if not self._loaded:
            self._fill(Stopped("load", _while_loading(stopped)))
            return
        self._stops += 1
        self.outcomes.append(stopped)
        if self._stops == STOPS:
            self._fill(stopped)

    def refuse(self, outcome: Stopped) -> None:
        """There is nothing to run it in."""
        self._fill(outcome)

    def give_up(self) -> None:
        """The check has no time left for the rest of its calls."""
        self._fill(Stopped("time", "the check's limit"))

    def _fill(self, outcome: Outcome) -> None:
        self.outcomes += [outcome] * (len(self._batch.inputs) - len(self.outcomes))


def _while_loading(stopped: Stopped) -> str:
    match stopped.cause:
        case "time":
            return "it did not finish loading in time"
        case "exit":
            return f"it ended its own process while loading ({stopped.detail})"
        case _:
            return f"it was stopped while loading ({stopped.cause}: {stopped.detail})"
