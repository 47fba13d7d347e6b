"""The in-process fuzzing loop: breeds inputs, keeps those that reach something new or split the programs anew.

The request: source, entry_point (the target's), others (sources of more programs of that name), precondition (source
of a function of that name, or empty: which inputs count), parameters (as `mpt.worker.shapes` reads them), seeds (pairs
of positional and keyword argument trees), corpus (more of these: earlier finds, handed out if they are still among the
best), inputs (how many at most), executions (how many inputs are tried), seed, call_s (CPU seconds of one call),
excluded (numbers of executions to leave out), careful (from which execution on each is announced).

The answers, in order:

    ["unloadable", detail]                       alone, where the target cannot be loaded
    ["at", n]                                    execution n is next: now and then, from `careful` on always
    ["input", positional, keyword]               an input found, the best first
    ["done", executions, lines, lines seen]      what it took; the last number counts distinct lines

Nothing depends on the clock, so the same request gives the same answers: executions are counted, and lines run. A call
in C that does not come back is ended by an alarm, else by the parent, who then asks again and excludes that execution.
"""

from __future__ import annotations

import json
import signal
import sys
import time
from collections.abc import Callable
from random import Random
from typing import Any, Optional

from mpt.worker import codec, runner
from mpt.worker.arguments import Unmakeable
from mpt.worker.choosing import LATE, Tried, best, plain
from mpt.worker.context import FILE, Context
from mpt.worker.coverage import Overrun, coverage
from mpt.worker.mutation import Constants, Mutator
from mpt.worker.settling import settled
from mpt.worker.shapes import Parameters, copied

LINES_A_CALL = 10_000
"""A call that runs more lines is given up; one that did not end counts as so many more."""
LINES_AN_EXECUTION = 150
"""What an execution may cost on average: the loop ends early for programs that run many more lines."""
ATTEMPTS = 10
"""Inputs made for one that is tried: the others break the precondition."""
FIRST = 20
"""Inputs bred before the edges: a target that dies at most edges has some then."""
EDGY = 3
"""Seeds whose arguments are taken to their edges, one at a time."""
WORD_S = 0.02
"""CPU seconds after which the parent hears from us, so that it knows which call does not come back."""
ALARMED = hasattr(signal, "setitimer")
"""Not on Windows: the parent ends such calls there."""
_FRESH = 0.35
"""Share of inputs made from nothing; the others are mutations of what reached something new."""
Function = Callable[..., Any]


def run(request: dict[str, Any], emit: Callable[..., None], context: Optional[Context] = None) -> None:
    entry_point, place = request["entry_point"], request.get("place")
    try:
        target = runner.load(request["source"], entry_point, context, place)
    except BaseException as error:
        emit(["unloadable", runner.describe(error)])
        return
    others = [one for source in request["others"] if (one := _loaded(source, entry_point, context, place))]
    sys.stdout = sys.stderr = Mute()
    loop = Loop(request, [target, *others], emit)
    loop.run()
    for tried in best(loop.tried, request["inputs"], loop.random):
        positional, keyword = loop.parameters.spread(tried.what)
        trees = {name: codec.parse(codec.encode(value)) for name, value in keyword.items()}
        emit(["input", [codec.parse(codec.encode(value)) for value in positional], trees])
    emit(["done", loop.executions, loop.lines, len({(code, line) for code, _, line in loop.seen})])


def _loaded(
    source: str, entry_point: str, context: Optional[Context] = None, place: Any = None
) -> Optional[runner.Loaded]:
    """A program besides the target; one that cannot be loaded is left out."""
    try:
        return runner.load(source, entry_point, context, place)
    except BaseException:
        return None


class Mute:
    """In place of stdout and stderr: thousands of calls must not flood the parent."""

    def write(self, text: str) -> int:
        return len(text)

    def flush(self) -> None:
        pass


class Late(BaseException):
    """The alarm: a call took too long. Not an Exception, so that fewer programs swallow it."""


class Loop:
    """One run of the loop. `tried` are the inputs that the target came to an end on, in order."""

    def __init__(self, request: dict[str, Any], programs: list[runner.Loaded], emit: Callable[..., None]) -> None:
        self.programs = programs
        self.maker = programs[0].maker
        self.precondition = _loaded(request["precondition"], "precondition") if request["precondition"] else None
        self.emit = emit
        self.random = Random(request["seed"])
        self.parameters = Parameters(request["parameters"])
        constants = Constants([request["source"], *request["others"]])
        self.mutator = Mutator(self.parameters, constants, self.random)
        self.budget: int = request["executions"]
        self.call_s: float = request["call_s"]
        self.excluded = frozenset(request["excluded"])
        self.careful: int = request["careful"]
        self.coverage = coverage(FILE, LINES_A_CALL)
        self.seen: dict[Any, set[int]] = {}
        self.splits: set[Any] = set()
        self.executions = self.lines = 0
        self.calling = self.unmade = False
        self.announced = 0.0
        self.known: set[str] = set()
        self.tried: list[Tried] = []
        self.recipes = any(kind in json.dumps(request["parameters"]) for kind in ('"call"', '"source"'))
        """May arguments be Source or Call, which must be made before the call?"""
        self.corpus = [values for values in map(self._values, request["seeds"]) if values is not None]
        self.earlier = [
            values for values in map(self._values, request["corpus"]) if values is not None and self._fits(values)
        ]

    def _values(self, seed: Any) -> list[Any] | None:
        positional, keyword = seed
        named = {name: codec.build(tree) for name, tree in keyword.items()}
        return self.parameters.gather([codec.build(tree) for tree in positional], named)

    def _fits(self, values: list[Any]) -> bool:
        return all(shape.holds(value) for shape, value in zip(self.parameters.shapes, values))

    def run(self) -> None:
        if ALARMED:
            signal.signal(signal.SIGVTALRM, self._alarm)
        seeds = list(self.corpus)
        for values in seeds:
            self._try(values, is_seed=True)
        self._try_all(self.earlier)
        self._try_all(self.mutator.alike())
        self._breed(until=self.executions + FIRST)
        starts = (seeds or [self.mutator.fresh()])[:EDGY]
        self._try_all([edge for start in starts for edge in self.mutator.edges(start)])
        self._breed(until=self.budget)

    def _try_all(self, inputs: list[list[Any]]) -> None:
        for values in inputs:
            if not self._spent(self.budget) and self._counts(values):
                self._try(values, is_seed=False)

    def _breed(self, until: int) -> None:
        """Tries new inputs until so many executions are done."""
        for _ in range(ATTEMPTS * until):
            if self._spent(until):
                break
            values = self._bred()
            if self._counts(values):
                self._try(values, is_seed=False)

    def _spent(self, until: int) -> bool:
        return self.executions >= min(until, self.budget) or self.lines >= self.budget * LINES_AN_EXECUTION

    def _counts(self, values: list[Any]) -> bool:
        """Is the function meant for this input? Where the precondition does not say, it is."""
        if self.precondition is None:
            return True
        try:
            positional, keyword = self.parameters.spread([self._own(value) for value in values])
            return bool(self.precondition.function(*positional, **keyword))
        except Exception:
            return False

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
        answers, path, new = self._answers(values)
        if answers[0] == LATE:
            return
        tried = Tried(values, answers, path, new)
        split = tried.split
        if split not in self.splits:
            self.splits.add(split)
            tried.new = True
        if not is_seed:
            self.tried.append(tried)
            if tried.new and not tried.doubtful:
                self.corpus.append(values)

    def _answers(self, values: list[Any]) -> tuple[list[str], int, bool]:
        """What each program answers, a number that stands for the lines they ran, and whether they ran some anew."""
        answers: list[str] = []
        path: list[Any] = []
        new = False
        for program in self.programs:
            answers.append(self._answer(program, values))
            if self.unmade:
                return [LATE], 0, False
            self.lines += self.coverage.lines + (LINES_A_CALL if answers[-1] == LATE else 0)
            path.extend(self.coverage.edges)
            new |= self._note_new()
        return answers, hash(frozenset(path)), new

    def _announce(self, number: int) -> None:
        now = time.process_time()
        if number >= self.careful or now > self.announced + WORD_S:
            self.emit(["at", number])
            self.announced = now

    def _answer(self, program: runner.Loaded, values: list[Any]) -> str:
        """What the call came to, as text."""
        runner.reseed(0)
        self.unmade = False
        if ALARMED:
            signal.setitimer(signal.ITIMER_VIRTUAL, self.call_s, self.call_s)
        try:
            positional, keyword = self.parameters.spread([self._own(value) for value in values])
            answer = plain(codec.encode(self._called(program.function, positional, keyword), program.told))
            left = [plain(codec.encode(value, program.told)) for value in positional] if answer == "null" else []
            return "\n".join([answer, *left, *(name + plain(text) for name, text in program.changed())])
        except Unmakeable:
            self.unmade = True  # which costs next to nothing
            return LATE
        except (Overrun, Late, SystemExit, KeyboardInterrupt, GeneratorExit, MemoryError, RecursionError):
            return LATE
        except BaseException as error:
            return "!" + codec.type_name(type(error))
        finally:
            if ALARMED:
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            program.changed()

    def _own(self, value: Any) -> Any:
        """A value for one call alone, which may change it. Raises Unmakeable."""
        made = copied(value)
        return self.maker.made(made) if self.recipes else made

    def _called(self, function: Function, positional: list[Any], keyword: dict[str, Any]) -> Any:
        self.calling = True
        try:
            with self.coverage:
                return settled(function(*positional, **keyword))
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
