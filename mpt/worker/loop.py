"""The in-process fuzzing loop: breeds inputs, keeps those that reach something new in the target.

The request: source, entry_point, parameters (as `mpt.worker.shapes` reads them), seeds (pairs of positional and
keyword argument trees), inputs (how many at most), executions (how many calls), seed, call_s (CPU seconds of one call),
excluded (numbers of executions to leave out), careful (from which execution on each is announced).
The answers, in order:

    ["unloadable", detail]                           alone, where the target cannot be loaded
    ["at", n]                                        execution n is next: now and then, from `careful` on always
    ["input", positional, keyword]                   an input found, the best first
    ["done", executions, lines, lines seen]          what it took; the last number counts distinct lines

Nothing depends on the clock, so the same request gives the same answers: executions are counted, and lines run. A call
in C that does not come back is ended by an alarm, else by the parent, who then asks again and excludes that execution.
"""

from __future__ import annotations

import random as global_random
import signal
import sys
import time
from collections.abc import Callable
from random import Random
from typing import Any

from mpt.worker import codec, runner
from mpt.worker.coverage import Overrun, coverage
from mpt.worker.mutation import Constants, Mutator
from mpt.worker.shapes import Parameters, copied

LINES_A_CALL = 10_000
"""A call that runs more lines is given up."""
LINES_AN_EXECUTION = 150
"""What an execution may cost on average: the loop ends early for a target that runs many more lines."""
WORD_S = 0.02
"""CPU seconds after which the parent hears from us, so that it knows which call does not come back."""
ALIKE = 20
"""Inputs kept of those with the same path and the same answer."""
_FRESH = 0.35
"""Share of inputs made from nothing; the others are mutations of what reached something new."""


def run(request: dict[str, Any], emit: Callable[..., None]) -> None:
    try:
        function = runner.load(request["source"], request["entry_point"])
    except BaseException as error:
        emit(["unloadable", runner.describe(error)])
        return
    sys.stdout = sys.stderr = Mute()
    loop = Loop(request, function, emit)
    loop.run()
    for found in loop.best(request["inputs"]):
        positional, keyword = loop.parameters.spread(found)
        trees = {name: codec.parse(codec.encode(value)) for name, value in keyword.items()}
        emit(["input", [codec.parse(codec.encode(value)) for value in positional], trees])
    emit(["done", loop.executions, loop.lines, len({(code, line) for code, _, line in loop.seen})])


class Mute:
    """In place of stdout and stderr: thousands of calls must not flood the parent."""

    def write(self, text: str) -> int:
        return len(text)

    def flush(self) -> None:
        pass


class Late(BaseException):
    """The alarm: a call took too long. Not an Exception, so that fewer programs swallow it."""


class Tried:
    """An input that was executed and ended. `answer` stands for what came back; `raised` where nothing did."""

    def __init__(self, values: list[Any], answer: str, raised: bool) -> None:
        self.values = values
        self.answer = answer
        self.raised = raised


class Loop:
    """One run of the loop. `seen` maps each pair of lines to the counts it was met with, in powers of two."""

    def __init__(self, request: dict[str, Any], function: Callable[..., Any], emit: Callable[..., None]) -> None:
        self.function = function
        self.emit = emit
        self.random = Random(request["seed"])
        self.parameters = Parameters(request["parameters"])
        self.mutator = Mutator(self.parameters, Constants(request["source"]), self.random)
        self.budget: int = request["executions"]
        self.call_s: float = request["call_s"]
        self.excluded = frozenset(request["excluded"])
        self.careful: int = request["careful"]
        self.coverage = coverage(runner.FILE, LINES_A_CALL)
        self.seen: dict[Any, set[int]] = {}
        self.executions = self.lines = 0
        self.calling = False
        self.announced = 0.0
        self.corpus: list[list[Any]] = []
        self.known: set[str] = set()
        self.reached: list[Tried] = []
        self.others: dict[tuple[Any, str], list[Tried]] = {}
        self._seed(request["seeds"])

    def _seed(self, seeds: list[Any]) -> None:
        for positional, keyword in seeds:
            arguments = [codec.build(tree) for tree in positional]
            named = {name: codec.build(tree) for name, tree in keyword.items()}
            values = self.parameters.gather(arguments, named)
            if values is not None:
                self.corpus.append(values)

    def run(self) -> None:
        signal.signal(signal.SIGVTALRM, self._alarm)
        for values in list(self.corpus):
            self._try(values, is_seed=True)
        while self.executions < self.budget and self.lines < self.budget * LINES_AN_EXECUTION:
            self._try(self._bred(), is_seed=False)

    def _bred(self) -> list[Any]:
        if not self.corpus or self.random.random() < _FRESH:
            return self.mutator.fresh()
        return self.mutator.mutated(self.random.choice(self.corpus), self.random.choice(self.corpus))

    def _try(self, values: list[Any], is_seed: bool) -> None:
        number = self.executions
        self.executions += 1
        text = "\n".join(map(codec.encode, values))
        if text in self.known:
            return
        self.known.add(text)
        self._announce(number)
        if number in self.excluded:
            return
        tried = self._executed(values)
        self.lines += self.coverage.lines
        if tried is None:
            return
        new = self._note_new()
        if is_seed:
            return
        if new:
            self.reached.append(tried)
            if not tried.raised:
                self.corpus.append(values)
        else:
            path = frozenset(self.coverage.edges)
            alike = self.others.setdefault((path, tried.answer), [])
            if len(alike) < ALIKE:
                alike.append(tried)

    def _announce(self, number: int) -> None:
        now = time.process_time()
        if number >= self.careful or now > self.announced + WORD_S:
            self.emit(["at", number])
            self.announced = now

    def _executed(self, values: list[Any]) -> Tried | None:
        """What the call came to; None where it did not end by itself."""
        positional, keyword = self.parameters.spread([copied(value) for value in values])
        global_random.seed(0)
        signal.setitimer(signal.ITIMER_VIRTUAL, self.call_s, self.call_s)
        try:
            answer = self._called(positional, keyword)
            return Tried(values, codec.encode(answer)[:200], raised=False)
        except (Overrun, Late, SystemExit, KeyboardInterrupt, GeneratorExit, MemoryError, RecursionError):
            return None
        except BaseException as error:
            return Tried(values, codec.type_name(type(error)), raised=True)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    def _called(self, positional: list[Any], keyword: dict[str, Any]) -> Any:
        self.calling = True
        try:
            with self.coverage:
                return self.function(*positional, **keyword)
        finally:
            self.calling = False

    def _alarm(self, signum: int, frame: object) -> None:
        if self.calling:
            raise Late

    def _note_new(self) -> bool:
        """Did the last call run lines one after the other that never were, or many times as often?"""
        new = False
        for edge, count in self.coverage.edges.items():
            counts = self.seen.setdefault(edge, set())
            if count.bit_length() not in counts:
                counts.add(count.bit_length())
                new = True
        return new

    # --- what is handed out -----------------------------------------------------------------------

    def best(self, count: int) -> list[list[Any]]:
        """Inputs that reached something new and returned, then others by path and answer in turn, the raising last.

        Those that raise are a tenth at most: they are likely to be outside what the function is for.
        """
        raising = _distinct([tried for tried in self.reached if tried.raised])[: max(1, count // 10)]
        returned = [tried for tried in self.reached if not tried.raised]
        chosen = [*returned, *self._in_turn()][: count - len(raising)] + raising
        return [tried.values for tried in chosen[:count]]

    def _in_turn(self) -> list[Tried]:
        """One of each kind, then a second of each, and so on."""
        kinds = [alike for alike in self.others.values() if not alike[0].raised]
        self.random.shuffle(kinds)
        return [alike[turn] for turn in range(ALIKE) for alike in kinds if turn < len(alike)]


def _distinct(raising: list[Tried]) -> list[Tried]:
    """One a kind of exception."""
    return list({tried.answer: tried for tried in reversed(raising)}.values())[::-1]
