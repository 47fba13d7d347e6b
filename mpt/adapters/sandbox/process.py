"""The worker as the parent sees it: a process behind a wall that forks children on demand."""

from __future__ import annotations

import array
import contextlib
import json
import math
import os
import secrets
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from mpt import worker
from mpt.adapters.priority import standing_back
from mpt.adapters.sandbox import clock
from mpt.adapters.sandbox.interpreter import OLDEST, Interpreter
from mpt.adapters.sandbox.walls import ENVIRONMENT, SYSTEM_FOLDERS, Wall
from mpt.errors import InterpreterError, SandboxError
from mpt.ports import Watch
from mpt.types.known import packages
from mpt.values import ForeignType, Importing, Limits, Module

WORKER = Path(worker.__file__).parent
_ORDER = struct.Struct(">ci")
_SIGNALLED = 128
"""An exit status beyond says the number of a signal."""
_ANSWER = struct.Struct(">ciid")
IMPORT_LOADS = 4
"""A module may take so many times as long as a program to load: it brings others along."""
_LIVES = 6
"""A worker that has imported a module may use so many times the CPU time of an import and a program: its module's
threads go on."""
_POLL_S = 0.1
_TOLD = 300


@dataclass(frozen=True, slots=True)
class Setup:
    """Everything a worker is started with.

    roots: the document's import roots, first on its path. start_s: an interpreter that has not started the worker by
    then hangs. idle_s: a worker that nobody asked for anything leaves after that. nice: how far it stands back.
    module: it is imported in the worker before anything runs, so that programs with a place in it find it.
    types: those that plugins tell of.
    """

    wall: Wall
    interpreter: Interpreter
    roots: tuple[Path, ...] = ()
    hash_seed: int = 0
    start_s: float = 20.0
    idle_s: float = 300.0
    nice: int = 0
    module: Module | None = None
    types: tuple[ForeignType, ...] = ()


class Greeting(NamedTuple):
    """What the worker says of itself: its Python, how long a fixed piece of work took, what its children add."""

    version: tuple[int, int, int]
    calibration_s: float
    landlock: bool
    seccomp: bool
    unshared: bool


class Answer(NamedTuple):
    """From the worker: S a child started, E ended (with its exit code), C its CPU seconds so far.

    exit_code: as of `subprocess`, so minus the number of the signal that ended it.
    """

    letter: bytes
    pid: int
    exit_code: int
    cpu_s: float


class WorkerBroken(SandboxError):
    """The worker is gone or mute; another may be started in its place."""


class Worker(Protocol):
    """What starts children, ends them and tells of them. Used by one thread at a time, but for `kill`."""

    setup: Setup
    greeting: Greeting
    control: socket.socket
    """Readable when `answers` has something to say."""

    @property
    def alive(self) -> bool:
        """Can it start children?"""

    def fork(self, request: bytes, memory_bytes: int, pipes: Sequence[int]) -> None:
        """Orders a child that reads `request` and holds `pipes`, for its frames, stdout and stderr.

        Its Answer S comes in the order of the orders. Raises WorkerBroken.
        """

    def end_child(self, pid: int) -> None:
        """Orders the end of a child, as its Answer S names it; its Answer E follows. Raises WorkerBroken."""

    def ask_cpu(self, pid: int) -> None:
        """Orders an Answer C. Raises WorkerBroken."""

    def answers(self) -> list[Answer]:
        """What has come. Raises WorkerBroken when the worker is gone."""

    def kill(self) -> None:
        """Ends it and all its children; from any thread."""

    def close(self) -> None:
        """Ends it and lets go of everything; only by who uses it."""


class WorkerProcess:
    """A process that forks. Starts on construction. Raises SandboxError, InterpreterError."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.control, theirs = socket.socketpair()
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 – closed with the worker
        self._received = b""
        variables = {**environment(setup), "LD_BIND_NOW": "1"}
        asks = setup.module is not None and setup.wall.confines
        granted, self._grants = _pipe() if asks else _NO_PIPE
        """A byte is a fork that the worker may make once it has imported a module: see mpt.worker.warden."""
        inherited = [theirs.fileno(), *([] if granted is None else [granted])]
        options = {
            "control": theirs.fileno(),
            "grants": granted,
            "unshare": setup.wall.unshares,
            "idle_s": setup.idle_s,
            "context": setup.module is not None,
        }
        with theirs:
            self._keeper = _Keeper(command(setup, options), variables, inherited, self._errors.fileno())
            try:
                self._keeper.start_and_spawn()
                self.greeting = self._greet(theirs)
            except BaseException:
                self.close()
                raise
            finally:
                if granted is not None:
                    os.close(granted)
        self.control.setblocking(False)

    def import_module(self, limits: Limits, watch: Watch) -> Importing:
        """Imports the setup's module, for as long as IMPORT_LOADS loads. Once; after a failure the worker is useless.

        Raises Cancelled.
        """
        module = self.setup.module
        assert module is not None
        limits = clock.scaled(limits, self.greeting.calibration_s)
        within_s = IMPORT_LOADS * limits.load_s
        asked = {
            **asked_of(self.setup, module),
            "nonce": secrets.token_hex(8),
            "memory_bytes": limits.memory_bytes,
            "cpu_s": math.ceil(_LIVES * (within_s + limits.program_s)),
        }
        data = json.dumps(asked).encode("ascii")
        if self.setup.wall.unshares and not self.greeting.unshared:
            return Importing("without name spaces of its own this wall does not hold an import")
        deadline = time.monotonic() + within_s
        line = b""
        try:
            self.control.settimeout(within_s)
            self.control.sendall(len(data).to_bytes(8, "big") + data)
            self.control.settimeout(_POLL_S)
            while not line.endswith(b"\n"):
                watch.check()
                if time.monotonic() > deadline:
                    return Importing(f"importing it does not end within {within_s:.0f} s")
                with contextlib.suppress(TimeoutError):
                    part = self.control.recv(1 << 16)
                    if not part:
                        return Importing("importing it ends the process")
                    line += part
            return _importing(line, str(asked["nonce"]))
        except OSError as error:
            return Importing(f"importing it breaks the worker ({error})")
        finally:
            self.control.setblocking(False)

    @property
    def alive(self) -> bool:
        return self._keeper.is_alive()

    def fork(self, request: bytes, memory_bytes: int, pipes: Sequence[int]) -> None:
        """As `Worker.fork`; the child limits its own memory, as its request says."""
        self._grant()
        with nameless_file(request) as fd:
            self._order(b"F", 0, [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [fd, *pipes]))])

    def end_child(self, pid: int) -> None:
        self._order(b"K", pid)

    def ask_cpu(self, pid: int) -> None:
        self._order(b"C", pid)

    def answers(self) -> list[Answer]:
        try:
            data = self.control.recv(1 << 16)
        except BlockingIOError:
            return []
        except OSError:
            data = b""
        if not data:
            raise WorkerBroken(f"the sandbox worker ended: {self._last_words() or 'it said nothing'}")
        data = self._received + data
        whole = len(data) - len(data) % _ANSWER.size
        self._received = data[whole:]
        return [
            Answer(letter, pid, os.waitstatus_to_exitcode(status), cpu_s)
            for letter, pid, status, cpu_s in _ANSWER.iter_unpack(data[:whole])
        ]

    def kill(self) -> None:
        self._keeper.end()

    def close(self) -> None:
        self.kill()
        if self._grants is not None:
            os.close(self._grants)
        self.control.close()
        self._errors.close()

    def _grant(self) -> None:
        if self._grants is not None:
            with contextlib.suppress(OSError):  # it is gone: the order will tell
                os.write(self._grants, b"\0")

    def _order(self, letter: bytes, pid: int, ancillary: Sequence[tuple[int, int, Any]] = ()) -> None:
        try:
            self.control.sendmsg([_ORDER.pack(letter, pid)], ancillary)
        except OSError as error:
            raise WorkerBroken(f"the sandbox worker does not listen: {error}") from None

    def _greet(self, theirs: socket.socket) -> Greeting:
        theirs.close()  # so that the worker's end is the only one, and its death is heard
        line = b""
        deadline = time.monotonic() + self.setup.start_s
        while not line.endswith(b"\n"):
            try:
                self.control.settimeout(max(0.01, deadline - time.monotonic()))
                part = self.control.recv(4096)
            except TimeoutError:
                raise hangs(self.setup) from None
            except OSError:
                part = b""
            if not part:
                raise self._why_it_did_not_start()
            line += part
        return Greeting(**json.loads(line))

    def _why_it_did_not_start(self) -> SandboxError:
        self._keeper.join(2)
        words = self._last_words()
        if words.startswith("bwrap:"):
            return SandboxError(f"bubblewrap could not build the wall ({words})")
        if not words and self._keeper.killed:
            return WorkerBroken("the sandbox worker was killed while it started")
        return unfit(self.setup, words)

    def _last_words(self) -> str:
        self._errors.seek(0)
        return last_line(self._errors.read())


def asked_of(setup: Setup, module: Module) -> dict[str, object]:
    """What the worker is told of a module that it is to import."""
    return {
        "name": module.name,
        "text": module.text,
        "path": module.path,
        "types": [[one.name, one.source] for one in setup.types if one.source],
        "packages": packages(setup.types),
    }


def _importing(line: bytes, nonce: str) -> Importing:
    """What the worker tells; a module may have written in its place."""
    try:
        told = json.loads(line)
        return importing_of(told if told["nonce"] == nonce else None)
    except (ValueError, TypeError, KeyError):
        return importing_of(None)


def importing_of(told: Any) -> Importing:
    """The worker's word, whatever that is."""
    try:
        failure = None if told["failure"] is None else str(told["failure"])[:_TOLD]
        notes, absent, untold = (
            tuple(str(one)[:_TOLD] for one in told[name]) for name in ("notes", "absent", "untold")
        )
        return Importing(failure, notes, absent, untold)
    except (ValueError, TypeError, KeyError):
        return Importing("it writes on the worker's own channel while it is imported")


_NO_PIPE: tuple[int | None, int | None] = (None, None)


def _pipe() -> tuple[int | None, int | None]:
    """Whoever writes never waits."""
    ours, theirs = os.pipe()
    os.set_blocking(theirs, False)
    return ours, theirs


class _Keeper(threading.Thread):
    """Starts the process and waits for it.

    The kernel's "die with the parent" means the parent's *thread*: this one lives as long as the process, where the
    caller's may end earlier.
    """

    def __init__(
        self, command: Sequence[str], environment: dict[str, str], inherited: Sequence[int], errors: int
    ) -> None:
        super().__init__(daemon=True, name="sandbox keeper")
        self._command = command
        self._environment = environment
        self._inherited = inherited
        self._errors = errors
        self._spawned = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._failure: OSError | None = None

    def start_and_spawn(self) -> None:
        self.start()
        self._spawned.wait()
        if self._failure:
            raise SandboxError(f"{self._command[0]} could not be started: {self._failure}")

    def run(self) -> None:
        try:
            self._process = subprocess.Popen(
                self._command,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                pass_fds=self._inherited,
                cwd="/",
                start_new_session=True,  # a Ctrl-C in the terminal is for us to hear
                preexec_fn=_hear_children if signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN else None,
            )
        except OSError as error:
            self._failure = error
            return
        finally:
            self._spawned.set()
        self._process.wait()

    @property
    def killed(self) -> bool:
        """Did a signal end it, or, as bubblewrap's exit status tells, what it held?"""
        status = self._process.returncode if self._process else None
        return status is not None and not 0 <= status <= _SIGNALLED

    def end(self) -> None:
        if self._process:
            self._process.kill()
            self.join()


def _hear_children() -> None:
    """bwrap waits for ever for its child where whoever started us ignores SIGCHLD, which is inherited."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)


def readable(setup: Setup) -> list[Path]:
    """All of the host that programs may read."""
    system = [path for path in map(Path, SYSTEM_FOLDERS) if path.exists()]
    return [*system, WORKER, *setup.interpreter.folders, *_roots(setup)]


def _roots(setup: Setup) -> list[Path]:
    """The import roots that are there."""
    own = setup.module.roots if setup.module else ()
    return [path for path in (*setup.roots, *map(Path, own)) if path.is_dir()]


def environment(setup: Setup) -> dict[str, str]:
    """All that the worker's code finds in its environment."""
    ours = {**ENVIRONMENT, "PYTHONHASHSEED": str(setup.hash_seed)}
    if sys.platform == "win32":
        ours["SYSTEMROOT"] = os.environ["SYSTEMROOT"]  # nothing starts without it
    return ours


def command(setup: Setup, options: Mapping[str, object]) -> list[str]:
    """What starts the worker's code; `options` of its way to start, for `mpt.worker.__main__`."""
    interpreter = setup.interpreter
    folders = readable(setup)
    options = {
        **options,
        "prefixes": list(map(str, interpreter.prefixes)),
        "linked": list(map(str, interpreter.linked)),
        "roots": list(map(str, _roots(setup))),
        "confine": setup.wall.confines,
        "readable": list(map(str, folders)),
    }
    argv = [str(interpreter.executable), "-S", "-s", "-B", str(WORKER / "__main__.py"), json.dumps(options)]
    return standing_back(setup.wall.command(argv, folders), setup.nice)


def hangs(setup: Setup) -> InterpreterError:
    """Of an interpreter that does not start the worker's code in time."""
    return InterpreterError(
        f"{setup.interpreter.executable} did not start within {setup.start_s:g} s: choose another with --python"
    )


def unfit(setup: Setup, words: str) -> InterpreterError:
    """Of one that cannot run it; `words`: its last."""
    oldest = ".".join(map(str, OLDEST))
    return InterpreterError(
        f"{setup.interpreter.executable} cannot run programs ({words or 'it said nothing'}): "
        f"choose a Python, {oldest} or later, with --python"
    )


def last_line(errors: bytes) -> str:
    """The last line on a standard error, bounded."""
    lines = errors[-2000:].decode("utf-8", "replace").strip().splitlines()
    return lines[-1][:300] if lines else ""


@contextmanager
def nameless_file(data: bytes) -> Iterator[int]:
    """A nameless file that holds `data`, at its beginning."""
    if sys.platform == "linux":
        fd = os.memfd_create("request")
        try:
            os.write(fd, data)
            os.lseek(fd, 0, os.SEEK_SET)
            yield fd
        finally:
            os.close(fd)
        return
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.flush()
        file.seek(0)
        yield file.fileno()
