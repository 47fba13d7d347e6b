"""The warm process: it forks a child for every program and does nothing else.

The parent sends messages of five bytes over the control socket, a letter and a process id:

    F     fork; four descriptors come along: the child's request, and the pipes of its frames, stdout and stderr
    K     kill that child and its process group
    C     how much CPU time has that child used?

and gets answers of seventeen bytes, a letter, a process id, a wait status and CPU seconds: S started, E ended, C.
When the parent goes, the control socket closes, and so do we: our children go with our process name space, or are
killed by us. A child never holds the control socket, so nothing it does can speak to the parent for another.
"""

from __future__ import annotations

import array
import contextlib
import gc
import os
import select
import signal
import socket
import struct
import time
from collections.abc import Callable

_ORDER = struct.Struct(">ci")
_ANSWER = struct.Struct(">ciid")
_FDS = 4
FRAMES = 3
"""Descriptor of the pipe of frames in every child."""


class Zygote:
    """Serves the control socket until the parent goes or nothing has happened for `idle_s`."""

    def __init__(self, control: socket.socket, idle_s: float, child: Callable[[int], None]) -> None:
        self._control = control
        self._idle_s = idle_s
        self._child = child
        self._children: set[int] = set()
        self._null = os.open(os.devnull, os.O_RDWR)
        self._wake, self._waker = os.pipe()
        os.set_blocking(self._waker, False)

    def serve(self) -> None:
        """Returns in the zygote alone: a child ends inside."""
        signal.signal(signal.SIGCHLD, lambda signum, frame: None)
        signal.set_wakeup_fd(self._waker, warn_on_full_buffer=False)
        poll = select.poll()
        poll.register(self._control, select.POLLIN)
        poll.register(self._wake, select.POLLIN)
        gc.collect()
        gc.freeze()
        while True:
            ready = [fd for fd, _ in poll.poll(None if self._children else self._idle_s * 1000)]
            if self._wake in ready:
                os.read(self._wake, 4096)
            self._reap()
            if self._control.fileno() in ready and not self._obey():
                break
            if not ready and not self._children:
                break
        self._end_all()

    def _obey(self) -> bool:
        data, ancillary, _, _ = self._control.recvmsg(_ORDER.size, socket.CMSG_SPACE(4 * _FDS), socket.MSG_WAITALL)
        if len(data) < _ORDER.size:
            return False
        order, pid = _ORDER.unpack(data)
        if order == b"F":
            self._fork(_descriptors(ancillary))
        elif order == b"K":
            self._kill(pid)
        elif order == b"C":
            self._answer(b"C", pid, 0, cpu_seconds(pid) if pid in self._children else 0.0)
        return True

    def _fork(self, fds: list[int]) -> None:
        pid = _forked()
        if pid == 0:
            self._become(fds)
        for fd in fds:
            os.close(fd)
        self._children.add(pid)
        self._answer(b"S", pid, 0, 0.0)

    def _become(self, fds: list[int]) -> None:
        """Never returns. The child keeps stdin, stdout and stderr, its frames as 3, its request, and no other."""
        try:
            signal.set_wakeup_fd(-1)  # SIGCHLD keeps its handler, which does nothing
            os.setsid()
            request, frames, out, err = fds
            self._control.detach()  # its place, 3, is taken by the frames
            for place, fd in enumerate((self._null, out, err, frames)):
                os.dup2(fd, place, inheritable=place < FRAMES)
            for fd in {self._null, self._wake, self._waker, frames, out, err} - set(range(FRAMES + 1)):
                os.close(fd)
            self._child(request)
        finally:
            os._exit(1)

    def _kill(self, pid: int) -> None:
        if pid in self._children:
            for kill in (os.killpg, os.kill):
                with contextlib.suppress(ProcessLookupError):  # it has no group yet, or is gone already
                    kill(pid, signal.SIGKILL)

    def _reap(self) -> None:
        for pid in list(self._children):
            ended, status, usage = os.wait4(pid, os.WNOHANG)
            if ended:
                self._children.discard(pid)
                self._answer(b"E", pid, status, usage.ru_utime + usage.ru_stime)

    def _answer(self, letter: bytes, pid: int, status: int, cpu_s: float) -> None:
        try:
            self._control.sendall(_ANSWER.pack(letter, pid, status, cpu_s))
        except OSError:
            self._end_all()

    def _end_all(self) -> None:
        for pid in list(self._children):
            self._kill(pid)
        os._exit(0)


def _forked() -> int:
    """As `os.fork`, undisturbed: a fork that a signal interrupts begins anew, and asks anew (see mpt.worker.warden)."""
    signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGCHLD,))
    try:
        return os.fork()
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGCHLD,))


def cpu_seconds(pid: int) -> float:
    """CPU time a process of our own has used; infinite where the system will not say, so that wall time decides."""
    try:
        return time.clock_gettime((~pid << 3) | 2)  # CPUCLOCK_SCHED of a process, as clock_getcpuclockid makes it
    except (OSError, OverflowError):
        return float("inf")


def _descriptors(ancillary: list[tuple[int, int, bytes]]) -> list[int]:
    fds = array.array("i")
    for level, kind, data in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            fds.frombytes(data[: len(data) - len(data) % fds.itemsize])
    return list(fds)
