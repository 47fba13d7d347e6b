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
_BULK = 64
"""All outcomes of a program together may be so many times as long as one may be."""


class Course:
    """A state machine that does nothing itself: loading → calling → finished.

    A child that ends early puts it back to loading, with the call it was in Stopped, or to finished.
    """

    def __init__(self, program: Program, inputs: Sequence[Arguments], inputs_text: str) -> None:
        self._program = program
        self._inputs = inputs
        self._inputs_text = inputs_text
        self.restart()

    def restart(self) -> None:
        """From the beginning, as if nothing had been."""
        self._loaded = False
        self._stops = 0
        self._bytes = 0
        self._clock: Clock | None = None
        self.cpu_s = 0.0
        """What its children that have ended have used."""
        self.outcomes: list[Outcome] = []
        self.printed = ("", "")

    @property
    def finished(self) -> bool:
        return len(self.outcomes) == len(self._inputs)

    def order(self, seed: int, limits: Limits) -> Order:
        """For a fresh child: go on from the first input that has no outcome."""
        self._loaded = False
        self._clock = self._clock or Clock(limits.program_s, time.monotonic())
        body = (
            f'{{"source": {json.dumps(self._program.source)}, "entry_point": {json.dumps(self._program.entry_point)},'
            f' "seed": {seed}, "first": {len(self.outcomes)}, "inputs": {self._inputs_text}}}'
        )
        return Order("runner", body, limits, self._clock, self.cpu_s)

    def sent(self, frame: decode.Frame, limit: int) -> None:
        """`limit`: bytes that one outcome may have. Raises decode.Forged."""
        if self.finished:
            raise decode.Forged("more outcomes than calls")
        index = len(self.outcomes)
        match decode.reading(frame, self._inputs[index]):
            case decode.Unloadable(outcome) if not self._loaded:
                self._fill(outcome)
            case decode.Loaded() if not self._loaded:
                self._loaded = True
            case decode.Called(number, outcome) if self._loaded and number == index:
                self._keep(outcome, frame, limit)
            case _:
                raise decode.Forged("out of turn")

    def ended(self, child: Child, stopped: Stopped | None) -> None:
        """The child is gone; `stopped` unless it said that it was done."""
        self.cpu_s += child.cpu_s
        out, err = (
            text + data.decode("utf-8", "replace") for text, data in zip(self.printed, child.printed, strict=True)
        )
        self.printed = (out, err)
        if child.forged and stopped:
            self.outcomes = [stopped] * len(self._inputs)
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

    def _keep(self, outcome: Outcome, frame: decode.Frame, limit: int) -> None:
        self._bytes += sum(map(len, frame.texts))
        if self._bytes > _BULK * limit:
            self._fill(Stopped("output", "all its answers together are too long"))
        else:
            self.outcomes.append(outcome)

    def _fill(self, outcome: Outcome) -> None:
        self.outcomes += [outcome] * (len(self._inputs) - len(self.outcomes))


def inputs_text(inputs: Sequence[Arguments]) -> str:
    """The calls as JSON: a pair of positional and keyword arguments each."""
    return f"[{','.join(map(_call_text, inputs))}]"


def _call_text(arguments: Arguments) -> str:
    positional = ",".join(value.wire for value in arguments.positional)
    keyword = ",".join(f"{json.dumps(name)}:{value.wire}" for name, value in arguments.keyword)
    return f"[[{positional}],{{{keyword}}}]"


def _while_loading(stopped: Stopped) -> str:
    match stopped.cause:
        case "time":
            return "it did not finish loading in time"
        case "exit":
            return f"it ended its own process while loading ({stopped.detail})"
        case _:
            return f"it was stopped while loading ({stopped.cause}: {stopped.detail})"
