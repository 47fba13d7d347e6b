"""The adapter: keeps warm workers, replaces the broken."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from mpt.adapters.priority import standing_back
from mpt.adapters.sandbox import clock, running
from mpt.adapters.sandbox.choice import NONE, choose, start
from mpt.adapters.sandbox.course import Batch, Course
from mpt.adapters.sandbox.interpreter import find
from mpt.adapters.sandbox.process import Setup, Worker, WorkerBroken, WorkerProcess, readable
from mpt.adapters.sandbox.walls import ENVIRONMENT
from mpt.errors import Cancelled, SandboxError, SettingsError
from mpt.ports import Watch
from mpt.values import Arguments, ForeignType, Importing, Limits, Module, Outcome, Program, Run, Stopped

MODULES_WARM = 4
"""Workers that hold an imported module while nobody uses them; a check has two, of two hash seeds."""
MODULES_REMEMBERED = 64


class _NotImported(Exception):
    """The module cannot be imported; `importing` says why."""

    def __init__(self, importing: Importing) -> None:
        super().__init__(importing.failure)
        self.importing = importing

    @property
    def stopped(self) -> Stopped:
        return Stopped("load", f"its module cannot be imported: {self.importing.failure}")


class WalledSandbox:
    """Implements `mpt.ports.Sandbox`. Safe for several threads: each run has a worker of its own."""

    def __init__(self, first: Worker) -> None:
        """`first`: a worker behind the wall; others are started as it was."""
        self._setup = first.setup
        self._calibration_s = first.greeting.calibration_s
        """By it a check's time is measured, whichever worker runs what."""
        self._lock = threading.Lock()
        self._busy: set[Worker] = set()
        self._idle = [first]
        self._importing: dict[Module, Importing] = {}
        self._closed = False

    @property
    def name(self) -> str:
        return self._setup.wall.name

    def run(
        self, programs: Sequence[Program], inputs: Sequence[Arguments], limits: Limits, watch: Watch
    ) -> tuple[tuple[Outcome, ...], ...]:
        """As `mpt.ports.Sandbox.run`."""
        return tuple(run.outcomes for run in self.runs(programs, inputs, limits, watch))

    def runs(
        self, programs: Sequence[Program], inputs: Sequence[Arguments], limits: Limits, watch: Watch
    ) -> tuple[Run, ...]:
        """`run`, with what was printed too. Raises SettingsError for limits beyond the machine."""
        _check(limits)
        until = time.monotonic() + clock.scaled(limits, self._calibration_s).check_s
        batch = Batch(inputs)
        courses = [Course(program, batch) for program in programs]
        for seed, group in enumerate(_by_occurrence(programs)):
            for module, indices in _by_module(programs, group).items():
                setup = replace(self._setup, hash_seed=self._setup.hash_seed + seed, module=module)
                self._run([courses[index] for index in indices], setup, limits, until, watch)
        return tuple(Run(tuple(c.outcomes), c.printed["stdout"], c.printed["stderr"], c.cpu_s) for c in courses)

    def imported(self, module: Module, limits: Limits, watch: Watch) -> Importing:
        """As `mpt.ports.Sandbox.imported`."""
        try:
            worker = self._take(replace(self._setup, module=module), limits, watch)
        except _NotImported as problem:
            return problem.importing
        self._give_back(worker)
        return self._importing[module]

    def call(
        self,
        task: str,
        request: Mapping[str, object],
        limits: Limits,
        watch: Watch,
        module: Module | None = None,
    ) -> Iterator[object]:
        """Runs `mpt.worker.<task>.run(request, emit)` in a confined child and yields what it emits, in order.

        A `Stopped` comes last when the task did not come to its end: its first item took more than `limits.load_s`, a
        further one more than `limits.input_s` (a task that is busy emits a sign of life more often), all of it more
        than `limits.program_s`, or the child died. module: in whose context it runs; where that cannot be imported, the
        Stopped is all there is. Raises SandboxError, Cancelled.
        """
        _check(limits)
        try:
            worker = self._take(replace(self._setup, module=module), limits, watch)
        except _NotImported as problem:
            yield problem.stopped
            return
        try:
            yield from running.call(worker, task, request, limits, watch)
        except BaseException:
            self._discard(worker)
            raise
        self._give_back(worker)

    def popen_inside(
        self,
        argv: Sequence[str],
        *,
        read_only_binds: Sequence[Path] = (),
        writable_tmpfs: Sequence[Path] = (),
        pass_fds: Sequence[int] = (),
        env: Mapping[str, str] | None = None,
    ) -> subprocess.Popen[bytes]:
        """Starts a tool that itself forks and writes, such as `afl-fuzz`, behind the same wall.

        It sees the interpreter's folders, /usr and `read_only_binds` read-only, empty writable `writable_tmpfs`, /tmp,
        a /dev and a /proc of its own, and no network. landlock and seccomp are not added: it needs processes. stdin is
        /dev/null, stdout and stderr are pipes. It dies with the thread that calls this. Raises SandboxError, and
        FuzzerError where the wall cannot hold such tools.
        """
        visible = [*readable(self._setup), *read_only_binds]
        command = standing_back(self._setup.wall.tool_command(argv, visible, writable_tmpfs), self._setup.nice)
        try:
            return subprocess.Popen(
                command,
                env={**ENVIRONMENT, **(env or {})},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=pass_fds,
            )
        except OSError as error:
            raise SandboxError(f"{command[0]} could not be started: {error}") from None

    def close(self) -> None:
        """Ends every worker and so every child; runs under way are Cancelled. Safe to call twice, from any thread."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
            busy = list(self._busy)
        for worker in idle:
            worker.close()
        for worker in busy:
            worker.kill()

    def _run(self, courses: Sequence[Course], setup: Setup, limits: Limits, until: float, watch: Watch) -> None:
        """Runs them; once more, from their beginning, those that were under way when a worker broke."""
        try:
            self._run_once(courses, setup, limits, until, watch)
        except WorkerBroken as broken:
            unfinished = [course for course in courses if not course.finished]
            for course in unfinished:
                course.restart()
            try:
                self._run_once(unfinished, setup, limits, until, watch)
            except WorkerBroken:
                if setup.module is None:
                    raise
                for course in unfinished:  # the module has its hand in the worker: its functions tell nothing
                    course.refuse(Stopped("load", f"importing its module broke the worker: {broken}"))

    def _run_once(self, courses: Sequence[Course], setup: Setup, limits: Limits, until: float, watch: Watch) -> None:
        try:
            worker = self._take(setup, limits, watch)
        except _NotImported as problem:
            for course in courses:
                course.refuse(problem.stopped)
            return
        try:
            running.run(worker, courses, limits, until, watch)
        except BaseException:
            self._discard(worker)
            raise
        self._give_back(worker)

    def _take(self, setup: Setup, limits: Limits, watch: Watch) -> Worker:
        """A worker of that setup, its module imported. Raises _NotImported."""
        with self._lock:
            if self._closed:
                raise Cancelled("the sandbox was closed")
            known = self._importing.get(setup.module) if setup.module else None
            if known is not None and known.failure is not None:
                raise _NotImported(known)
            for worker in [worker for worker in self._idle if worker.setup == setup]:
                self._idle.remove(worker)
                if worker.alive:
                    self._busy.add(worker)
                    return worker
                worker.close()  # it was idle for long and left
        worker = start(setup)
        with self._lock:
            self._busy.add(worker)
        if setup.module is not None:
            self._import(worker, setup.module, limits, watch)
        return worker

    def _import(self, worker: Worker, module: Module, limits: Limits, watch: Watch) -> None:
        """Raises _NotImported, Cancelled; the worker is closed then."""
        try:
            if isinstance(worker, WorkerProcess):
                importing = worker.import_module(limits, watch)
            else:
                importing = running.imported(worker, limits, watch)
            with self._lock:
                self._importing[module] = importing
                while len(self._importing) > MODULES_REMEMBERED:
                    del self._importing[next(iter(self._importing))]
            if importing.failure is not None:
                raise _NotImported(importing)
        except BaseException:
            self._discard(worker)
            raise

    def _give_back(self, worker: Worker) -> None:
        with self._lock:
            self._busy.discard(worker)
            spare = [worker] if self._closed else self._kept_idle(worker)
        for one in spare:
            one.close()

    def _kept_idle(self, worker: Worker) -> list[Worker]:
        """Puts it by; those with a module that are too many now, the longest unused first."""
        self._idle.append(worker)
        with_module = [one for one in self._idle if one.setup.module is not None]
        spare = with_module[: max(0, len(with_module) - MODULES_WARM)]
        for one in spare:
            self._idle.remove(one)
        return spare

    def _discard(self, worker: Worker) -> None:
        with self._lock:
            self._busy.discard(worker)
        worker.close()


def _by_occurrence(programs: Sequence[Program]) -> tuple[list[int], list[int]]:
    """Indices of programs where they occur for the first, third, … time, and for the second, fourth, …."""
    seen: Counter[Program] = Counter()
    groups: tuple[list[int], list[int]] = ([], [])
    for index, program in enumerate(programs):
        groups[seen[program] % 2].append(index)
        seen[program] += 1
    return groups


def _by_module(programs: Sequence[Program], indices: Sequence[int]) -> dict[Module | None, list[int]]:
    """The indices by the module their programs are put into."""
    groups: dict[Module | None, list[int]] = {}
    for index in indices:
        place = programs[index].place
        groups.setdefault(place.module if place else None, []).append(index)
    return groups


def _check(limits: Limits) -> None:
    if not hasattr(os, "sysconf"):
        return
    there = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    if limits.memory_bytes > there:
        raise SettingsError(f"'memory_bytes' is {limits.memory_bytes}, and this machine has {there}: set less")


def open_sandbox(
    kind: str,
    python: Path | None = None,
    roots: Sequence[Path] = (),
    hash_seed: int = 0,
    nice: int = 0,
    types: Sequence[ForeignType] = (),
) -> WalledSandbox:
    """A sandbox behind the wall `kind`, which has just been seen to hold; programs run on `python` (None: ours).

    kind: "auto", the name of a wall, or "none". roots: the document's import roots, readable and first on the
    programs' path. nice: how far they stand back (0 to 19). types: those that plugins tell of.
    Raises NoWall, InterpreterError, SettingsError.
    """
    return WalledSandbox(
        choose(kind, Setup(NONE, find(python), tuple(roots), hash_seed, nice=nice, types=tuple(types)))
    )
