"""All children of one worker, and what comes from them as events. Here bytes flow; what they mean is decided above.

The worker's word that a child has ended wakes us; what children write lies in their pipes until then, or until we look
in passing, every TICK_S. So a child that makes two hundred calls in three milliseconds wakes us once.
"""

from __future__ import annotations

import json
import math
import os
import secrets
import selectors
import signal
import sys
import time
from collections import deque
from dataclasses import dataclass, field

from mpt.adapters.sandbox import decode
from mpt.adapters.sandbox.clock import Clock, Clocks
from mpt.adapters.sandbox.process import Worker, WorkerBroken
from mpt.values import Limits, StopCause, Stopped

if sys.platform == "win32":
    from mpt.adapters.sandbox import windows

TICK_S = 0.005
PRINTED_BYTES = 16 << 10
"""Of what a program prints, so much is kept of each stream."""
MUTE_S = 30.0
"""A worker that takes longer to start or to end a child is broken."""
_CHUNK = 1 << 18
_PIPE_BYTES = 1 << 18
_NTSTATUS = 0xC000_0000
"""Windows ends a process that broke with an exit code from here on."""


@dataclass(frozen=True, slots=True)
class Order:
    """What a child is to do: run `mpt.worker.<task>` on `body`, the text of a JSON value, and `lines`.

    Its first frame may take `load_s`, every further one `input_s`, all of it what `whole` says; where it goes on with
    what earlier children began, they used `cpu_before` seconds of that.
    """

    task: str
    body: str
    limits: Limits
    whole: Clock
    cpu_before: float = 0.0
    lines: str = ""


@dataclass(slots=True, eq=False)
class Child:
    """One forked child, from the order to fork until nothing of it is left."""

    nonce: bytes
    limits: Limits
    clocks: Clocks
    pipes: dict[str, int]
    """Our ends, by what comes through: frames, stdout, stderr; only those still open."""
    ordered_at: float
    pid: int | None = None
    ending_since: float | None = None
    """When we ordered its end."""
    stopped: Stopped | None = None
    """Why we ended it."""
    forged: bool = False
    """It wrote among the frames itself, so nothing it said counts."""
    done: bool = False
    exit_code: int | None = None
    """As of `subprocess`, once it has ended."""
    cpu_s: float = 0.0
    """The CPU time it had used then."""
    inbox: bytearray = field(default_factory=bytearray)
    printed: dict[str, bytearray] = field(default_factory=lambda: {"stdout": bytearray(), "stderr": bytearray()})
    printed_bytes: int = 0

    @property
    def ended_by(self) -> Stopped | None:
        """Of one that has ended: why, None when its task came to its end."""
        if self.stopped or self.done or self.exit_code is None:
            return self.stopped
        return _cause(self.exit_code)


@dataclass(frozen=True, slots=True)
class Sent:
    """A child sent some frames."""

    child: Child
    frames: list[bytes]


@dataclass(frozen=True, slots=True)
class Ended:
    """A child is gone and all it sent has been seen."""

    child: Child


Event = Sent | Ended


class Children:
    """Every method raises WorkerBroken once the worker is gone or mute."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._selector = selectors.DefaultSelector()
        self._selector.register(worker.control, selectors.EVENT_READ)
        self._unnamed: deque[Child] = deque()
        self._living: dict[int, Child] = {}
        self._events: list[Event] = []

    def start(self, order: Order) -> Child:
        """Forks a child."""
        nonce = secrets.token_hex(8)
        now = time.monotonic()
        clocks = Clocks(Clock(order.limits.load_s, now), order.whole, order.cpu_before)
        ours, theirs = _pipes()
        self._unnamed.append(child := Child(nonce.encode(), order.limits, clocks, ours, now))
        try:
            self._worker.fork(_request(order, nonce), order.limits.memory_bytes, theirs)
        finally:
            for fd in theirs:
                os.close(fd)
        return child

    def wait(self, timeout_s: float) -> list[Event]:
        """What happened, waiting for it no longer than that. Children whose time is over are ended meanwhile."""
        tick = TICK_S if self._living else timeout_s
        if self._selector.select(min(timeout_s, tick)):
            self._hear_worker()
        for child in list(self._living.values()):
            self._hear(child)
        self._look()
        events, self._events = self._events, []
        return events

    def end(self, child: Child, cause: StopCause | None, detail: str = "") -> None:
        """Kills the child; an Ended follows. The first cause given counts."""
        if cause and not child.stopped:
            child.stopped = Stopped(cause, detail)
        if child.ending_since is None:
            child.ending_since = time.monotonic()
            if child.pid is not None:
                self._worker.end_child(child.pid)

    def end_forger(self, child: Child, why: decode.Forged) -> None:
        """Kills a child that wrote among the frames itself."""
        child.forged = True
        self.end(child, "blocked", f"it wrote on the channel of results: {why}")

    def close(self) -> None:
        """Lets go of all that lives. Safe to call twice."""
        for child in [*self._unnamed, *self._living.values()]:
            for name in list(child.pipes):
                os.close(child.pipes.pop(name))
        self._selector.close()

    # --- what is heard ---------------------------------------------------------------------------

    def _hear_worker(self) -> None:
        for answer in self._worker.answers():
            if answer.letter == b"S":
                self._started(answer.pid)
                continue
            child = self._living.get(answer.pid)
            if child is None:
                continue  # its time was asked for while it ended, perhaps in the run before: nobody waits for it
            if answer.letter == b"E":
                child.exit_code, child.cpu_s = answer.exit_code, answer.cpu_s
                self._bury(child)
            elif child.clocks.used(answer.cpu_s, time.monotonic()):
                self.end(child, "time")

    def _started(self, pid: int) -> None:
        child = self._unnamed.popleft()
        child.pid = pid
        self._living[pid] = child
        if child.ending_since is not None:
            self._worker.end_child(pid)

    def _bury(self, child: Child) -> None:
        """It has ended: reads the rest, then nothing of it is left."""
        while self._hear(child):
            pass
        for fd in child.pipes.values():
            os.close(fd)
        child.pipes = {}
        if child.inbox and child.exit_code == 0:
            self.end_forger(child, decode.Forged("half a frame"))
        if child.pid is not None:
            del self._living[child.pid]
        self._events.append(Ended(child))

    def _hear(self, child: Child) -> bool:
        """Reads what lies in the pipes; was there anything?"""
        heard = False
        for name, fd in list(child.pipes.items()):
            data = _read(fd)
            if data is None:
                continue
            if not data:
                os.close(child.pipes.pop(name))
            elif name == "frames":
                self._hear_frames(child, data)
            else:
                self._hear_print(child, name, data)
            heard = True
        return heard

    def _hear_frames(self, child: Child, data: bytes) -> None:
        if child.stopped or child.done:
            return  # nothing counts any more
        child.inbox += data
        try:
            frames, cpu_s = decode.frames(child.inbox, child.nonce, child.limits.output_bytes)
        except decode.Forged as forged:
            self.end_forger(child, forged)
            return
        if frames and frames[-1] == decode.DONE:
            child.done = True
            frames.pop()
        if frames:
            child.clocks.next(child.limits.input_s, time.monotonic(), cpu_s)
            self._events.append(Sent(child, frames))

    def _hear_print(self, child: Child, stream: str, data: bytes) -> None:
        kept = child.printed[stream]
        kept += data[: PRINTED_BYTES - len(kept)]
        child.printed_bytes += len(data)
        if child.printed_bytes > child.limits.output_bytes:
            self.end(child, "output", f"it printed more than {child.limits.output_bytes} bytes")

    # --- the clock -------------------------------------------------------------------------------

    def _look(self) -> None:
        now = time.monotonic()
        if self._unnamed and now - self._unnamed[0].ordered_at > MUTE_S:
            raise WorkerBroken("the sandbox worker does not start children")
        for pid, child in self._living.items():
            if child.ending_since is not None:
                if now - child.ending_since > MUTE_S:
                    raise WorkerBroken("the sandbox worker does not end children")
                continue
            match child.clocks.look(now):
                case "over":
                    self.end(child, "time")
                case "ask":
                    self._worker.ask_cpu(pid)


def _pipes() -> tuple[dict[str, int], list[int]]:
    """Pipes for frames, stdout and stderr: our ends by name, the child's in that order."""
    ours, theirs = {}, []
    for name in ("frames", "stdout", "stderr"):
        ours[name], end = _pipe()
        theirs.append(end)
    if sys.platform == "linux":
        import fcntl  # not there on every system

        fcntl.fcntl(ours["frames"], fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
    return ours, theirs


def _pipe() -> tuple[int, int]:
    if sys.platform == "win32":
        return windows.pipe(_PIPE_BYTES)
    ours, theirs = os.pipe()
    os.set_blocking(ours, False)
    return ours, theirs


def _read(fd: int) -> bytes | None:
    """What lies in a pipe; nothing at its end, None where that may still come."""
    if sys.platform == "win32":
        return windows.read(fd, _CHUNK)
    try:
        return os.read(fd, _CHUNK)
    except BlockingIOError:
        return None


def _request(order: Order, nonce: str) -> bytes:
    limits = order.limits
    head = {
        "task": order.task,
        "nonce": nonce,
        "frame_bytes": limits.output_bytes,
        "memory_bytes": limits.memory_bytes,
        "cpu_s": math.ceil(limits.load_s + limits.program_s) + 1,
    }
    lines = f"\n{order.lines}" if order.lines else ""
    return f'{json.dumps(head)[:-1]}, "body": {order.body}}}{lines}'.encode("ascii")


def _cause(exit_code: int) -> Stopped:
    """Why a child ended that we did not end and that was not done."""
    if exit_code >= _NTSTATUS:
        return Stopped("crash", f"{exit_code:#x}")
    if exit_code >= 0:
        return Stopped("exit", f"exit status {exit_code}")
    if -exit_code == signal.SIGXCPU:
        return Stopped("time", "CPU time")
    if -exit_code == signal.SIGSYS:
        return Stopped("blocked", "a system call of another architecture")
    return Stopped("crash", signal.Signals(-exit_code).name)
