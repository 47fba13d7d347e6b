"""All children of one worker, and what comes from them as events. Here bytes flow; what they mean is decided above."""

from __future__ import annotations

import json
import math
import os
import secrets
import selectors
import signal
import socket
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from mpt.adapters.sandbox import decode
from mpt.adapters.sandbox.clock import Clock, Clocks
from mpt.adapters.sandbox.process import Answer, WorkerBroken, WorkerProcess
from mpt.values import Limits, StopCause, Stopped

PRINTED_BYTES = 16 << 10
"""Of what a program prints, so much is kept of each stream."""
MUTE_S = 10.0
"""A worker that takes longer to start or to end a child is broken."""
_CHUNK = 1 << 18
_READ, _WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE


@dataclass(frozen=True, slots=True)
class Order:
    """What a child is to do: run `mpt.worker.<task>` on `body`, the text of a JSON value.

    Its first frame may take `load_s`, every further one `input_s`, all of it what `whole` says; where it goes on with
    what earlier children began, they used `cpu_before` seconds of that.
    """

    task: str
    body: str
    limits: Limits
    whole: Clock
    cpu_before: float = 0.0


@dataclass(slots=True, eq=False)
class Child:
    """One forked child, from the order to fork until nothing of it is left."""

    channel: socket.socket
    nonce: str
    limits: Limits
    outbox: memoryview
    ordered_at: float
    clocks: Clocks
    pid: int | None = None
    ending_since: float | None = None
    """When we ordered its end, or it said that it was done."""
    stopped: Stopped | None = None
    """Why we ended it."""
    forged: bool = False
    """It wrote on the channel of results itself, so nothing it said counts."""
    done: bool = False
    status: int | None = None
    """Its wait status, once it has ended."""
    cpu_s: float = 0.0
    """The CPU time it had used then."""
    inbox: bytearray = field(default_factory=bytearray)
    printed: tuple[bytearray, bytearray] = field(default_factory=lambda: (bytearray(), bytearray()))
    printed_bytes: int = 0
    open_ends: int = 3


@dataclass(frozen=True, slots=True)
class Sent:
    """A child sent something."""

    child: Child
    frame: decode.Frame


@dataclass(frozen=True, slots=True)
class Ended:
    """A child is gone and all it sent has been seen. `stopped` is None when its task came to its end."""

    child: Child
    stopped: Stopped | None


Event = Sent | Ended


class Children:
    """Every method raises WorkerBroken once the worker is gone or mute."""

    def __init__(self, worker: WorkerProcess) -> None:
        self._worker = worker
        self._selector = selectors.DefaultSelector()
        self._selector.register(worker.control, _READ, self._hear_worker)
        self._unnamed: deque[Child] = deque()
        self._living: dict[int, Child] = {}
        self._events: list[Event] = []

    def start(self, order: Order) -> Child:
        """Forks a child."""
        ours, theirs = socket.socketpair()
        (out, out_end), (err, err_end) = os.pipe(), os.pipe()
        now = time.monotonic()
        nonce = secrets.token_hex(8)
        clocks = Clocks(Clock(order.limits.load_s, now), order.whole, order.cpu_before)
        child = Child(ours, nonce, order.limits, _request(order, nonce), now, clocks)
        ours.setblocking(False)
        self._selector.register(ours, _READ | _WRITE, partial(self._channel, child))
        for stream, fd in enumerate((out, err)):
            os.set_blocking(fd, False)
            self._selector.register(fd, _READ, partial(self._hear_stream, child, stream, fd))
        self._unnamed.append(child)
        try:
            self._worker.fork([theirs.fileno(), out_end, err_end])
        finally:
            theirs.close()
            os.close(out_end)
            os.close(err_end)
        return child

    def wait(self, timeout_s: float) -> list[Event]:
        """What happened, waiting for it no longer than that. Children whose time is over are ended meanwhile."""
        for key, mask in self._selector.select(min(timeout_s, self._patience())):
            if key.fd in self._selector.get_map():  # else an earlier handler closed it
                handler: Callable[[int], None] = key.data
                handler(mask)
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
        """Kills a child that wrote on the channel of results itself."""
        child.forged = True
        self.end(child, "blocked", f"it wrote on the channel of results: {why}")

    def close(self) -> None:
        """Kills what lives, waiting for nothing. Safe to call twice."""
        for child in [*self._unnamed, *self._living.values()]:
            child.channel.close()
        for key in list(self._selector.get_map().values()):
            if isinstance(key.fileobj, int):
                os.close(key.fileobj)
        self._selector.close()

    # --- what is heard ---------------------------------------------------------------------------

    def _hear_worker(self, mask: int) -> None:
        for answer in self._worker.answers():
            if answer.letter == b"S":
                self._started(answer.pid)
            elif (child := self._living.get(answer.pid)) is None:
                continue
            elif answer.letter == b"C":
                self._used(child, answer.cpu_s)
            elif answer.letter == b"E":
                self._dead(child, answer)

    def _started(self, pid: int) -> None:
        child = self._unnamed.popleft()
        child.pid = pid
        self._living[pid] = child
        if child.ending_since is not None:
            self._worker.end_child(pid)

    def _dead(self, child: Child, answer: Answer) -> None:
        child.status, child.cpu_s = answer.status, answer.cpu_s
        self._finish(child)

    def _channel(self, child: Child, mask: int) -> None:
        if mask & _WRITE:
            self._tell(child)
        if mask & _READ:
            self._hear_channel(child)

    def _tell(self, child: Child) -> None:
        try:
            sent = child.channel.send(child.outbox[:_CHUNK])
        except BlockingIOError:
            return
        except OSError:
            sent = len(child.outbox)  # it is gone: nobody reads the rest
        child.outbox = child.outbox[sent:]
        if not child.outbox:
            self._selector.modify(child.channel, _READ, partial(self._channel, child))

    def _hear_channel(self, child: Child) -> None:
        try:
            data = child.channel.recv(_CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._selector.unregister(child.channel)
            child.channel.close()
            self._end_closed(child)
            return
        if child.ending_since is not None:
            return  # after its end was ordered, nothing counts
        child.inbox += data
        try:
            for frame in decode.frames(child.inbox, child.nonce, child.limits.output_bytes):
                if frame.done:
                    child.done = True
                    self.end(child, None)
                    return
                child.clocks.next(child.limits.input_s, time.monotonic(), frame.cpu_s)
                self._events.append(Sent(child, frame))
        except decode.Forged as forged:
            self.end_forger(child, forged)

    def _hear_stream(self, child: Child, stream: int, fd: int, mask: int) -> None:
        try:
            data = os.read(fd, _CHUNK)
        except BlockingIOError:
            return
        if not data:
            self._selector.unregister(fd)
            os.close(fd)
            self._end_closed(child)
            return
        kept = child.printed[stream]
        kept += data[: PRINTED_BYTES - len(kept)]
        child.printed_bytes += len(data)
        if child.printed_bytes > child.limits.output_bytes:
            self.end(child, "output", f"printed more than {child.limits.output_bytes} bytes")

    def _end_closed(self, child: Child) -> None:
        child.open_ends -= 1
        self._finish(child)

    def _finish(self, child: Child) -> None:
        if child.status is not None and child.open_ends == 0 and child.pid is not None:
            del self._living[child.pid]
            stopped = child.stopped or (None if child.done else _cause(child.status))
            self._events.append(Ended(child, stopped))

    # --- the clock -------------------------------------------------------------------------------

    def _patience(self) -> float:
        looks = [child.clocks.look_at for child in self._living.values() if child.ending_since is None]
        return max(0.0, min(looks, default=math.inf) - time.monotonic())

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

    def _used(self, child: Child, cpu_s: float) -> None:
        if child.clocks.used(cpu_s, time.monotonic()):
            self.end(child, "time")


def _request(order: Order, nonce: str) -> memoryview:
    limits = order.limits
    head = {
        "task": order.task,
        "nonce": nonce,
        "frame_bytes": limits.output_bytes,
        "memory_bytes": limits.memory_bytes,
        "cpu_s": math.ceil(limits.load_s + limits.program_s) + 1,
    }
    data = f'{json.dumps(head)[:-1]}, "body": {order.body}}}'.encode("ascii")
    return memoryview(decode.LENGTH.pack(len(data)) + data)


def _cause(status: int) -> Stopped:
    """Why a child ended that we did not end and that was not done."""
    if not os.WIFSIGNALED(status):
        return Stopped("exit", f"exit status {os.waitstatus_to_exitcode(status)}")
    number = os.WTERMSIG(status)
    if number == signal.SIGXCPU:
        return Stopped("time", "CPU time")
    if number == signal.SIGSYS:
        return Stopped("blocked", "a system call of another architecture")
    return Stopped("crash", signal.Signals(number).name)
