"""Where the system has no fork: a fresh interpreter for every child, no wall, limits alone.

A module that programs are put into is imported anew in each.
This is Windows' way, where it was never tried. Its tests ask for it on systems that do have fork.
"""

from __future__ import annotations

import itertools
import json
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from queue import SimpleQueue

from mpt.adapters.sandbox.process import (
    Answer,
    Greeting,
    Setup,
    WorkerBroken,
    asked_of,
    command,
    environment,
    hangs,
    last_line,
    unfit,
)
from mpt.errors import SandboxError

if sys.platform == "win32":
    from mpt.adapters.sandbox.windows import Job as Tree

    _FLAGS = subprocess.DETACHED_PROCESS
else:
    from mpt.adapters.sandbox.group import Group as Tree

    _FLAGS = 0


class SpawningWorker:
    """Implements `mpt.adapters.sandbox.process.Worker`: not a process, but threads that watch processes.

    Raises SandboxError, InterpreterError.
    """

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.greeting = _greeting(setup)
        self.control, self._bell = socket.socketpair()
        self.control.setblocking(False)
        self._bell.setblocking(False)
        self._answers: SimpleQueue[Answer] = SimpleQueue()
        self._lock = threading.Lock()
        self._gone = False
        self._numbers = itertools.count(1)
        self._living: dict[int, Tree] = {}
        self._watchers: dict[int, threading.Thread] = {}

    @property
    def alive(self) -> bool:
        return not self._gone

    def fork(self, request: bytes, memory_bytes: int, pipes: Sequence[int]) -> None:
        if self.setup.module is not None:
            module = json.dumps(asked_of(self.setup, self.setup.module)).encode("ascii")
            request = b'{"module": ' + module + b", " + request[1:]
        with self._lock:
            if self._gone:
                raise WorkerBroken("the sandbox worker was ended")
            try:
                tree = Tree(self.setup, request, memory_bytes, pipes)
            except OSError as error:
                raise WorkerBroken(f"the sandbox worker could not start an interpreter: {error}") from None
            number = next(self._numbers)
            watcher = threading.Thread(target=self._watch, args=(number, tree), daemon=True, name="sandbox keeper")
            self._living[number], self._watchers[number] = tree, watcher
            self._answer(Answer(b"S", number, 0, 0.0))
            watcher.start()

    def end_child(self, pid: int) -> None:
        with self._lock:
            if pid in self._living:
                self._living[pid].end()

    def ask_cpu(self, pid: int) -> None:
        with self._lock:
            cpu_s = self._living[pid].cpu_s() if pid in self._living else 0.0
        self._answer(Answer(b"C", pid, 0, cpu_s))

    def answers(self) -> list[Answer]:
        if self._gone:
            raise WorkerBroken("the sandbox worker was ended")
        with suppress(BlockingIOError):
            self.control.recv(1 << 16)
        return [self._answers.get() for _ in range(self._answers.qsize())]

    def kill(self) -> None:
        with self._lock:
            self._gone = True
            watchers = list(self._watchers.values())
            for tree in self._living.values():
                tree.end()
        self._ring()
        for watcher in watchers:
            watcher.join()

    def close(self) -> None:
        self.kill()
        self.control.close()
        self._bell.close()

    def _watch(self, number: int, tree: Tree) -> None:
        """Waits for the end of one child; in a thread of its own."""
        exit_code, cpu_s = tree.wait()
        with self._lock:
            del self._living[number], self._watchers[number]
        self._answer(Answer(b"E", number, exit_code, cpu_s))

    def _answer(self, answer: Answer) -> None:
        self._answers.put(answer)
        self._ring()

    def _ring(self) -> None:
        with suppress(OSError):  # it rings already, or nobody listens any more
            self._bell.send(b"!")


def _greeting(setup: Setup) -> Greeting:
    argv = command(setup, {"frames": None})
    try:
        ran = subprocess.run(
            argv,
            env=environment(setup),
            cwd=setup.interpreter.executable.anchor,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=setup.start_s,
            creationflags=_FLAGS,
        )
    except subprocess.TimeoutExpired:
        raise hangs(setup) from None
    except OSError as error:
        raise SandboxError(f"{argv[0]} could not be started: {error}") from None
    try:
        return Greeting(**json.loads(ran.stdout))
    except (ValueError, TypeError):
        raise unfit(setup, last_line(ran.stderr)) from None
