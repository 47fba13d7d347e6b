"""Who may fork where a module nobody has read has been imported: as often as the parent grants it, and no more.

The process that imports must fork every child afterwards, for they need what it has imported; while it imports it
must not fork at all. A seccomp filter knows no "afterwards", so it asks: every fork stops until the warden, who is
the process from before the import and shares no memory with it, says yes or no. A byte in the pipe of grants is a yes.
"""

from __future__ import annotations

import contextlib
import errno
import os
import select
import signal
import socket
import struct
import sys

from mpt.worker import kernel

if sys.platform != "win32":
    import fcntl

_RECEIVE, _SEND = 0xC0502100, 0xC0182101
"""SECCOMP_IOCTL_NOTIF_RECV and _SEND."""
_ASKED = 80
_ANSWER = struct.Struct("=QqiI")
_CONTINUE = 1
_PIDFD_OPEN = 434


def enter(program: bytes, without: bytes, grants: int, control: socket.socket) -> None:
    """Goes on in a child under the filter `program`, which asks for every fork; the caller is its warden and never
    comes back. Where this kernel cannot ask, the child is under the filter `without`, which allows forks.

    Raises OSError, in the child, where no filter can be had.
    """
    ours, theirs = socket.socketpair()
    pid = os.fork()
    if pid:
        theirs.close()
        control.close()
        _, listeners, _, _ = socket.recv_fds(ours, 1, 1)
        _guard(pid, listeners[0] if listeners else None, grants)
        os._exit(0)
    ours.close()
    os.close(grants)
    kernel.die_with_parent(signal.SIGKILL)
    try:
        listener = kernel.install_asking_filter(program)
    except OSError:
        kernel.install_filter(without)
        theirs.close()
        return
    socket.send_fds(theirs, [b"!"], [listener])
    os.close(listener)
    theirs.close()


def _guard(pid: int, listener: int | None, grants: int) -> None:
    """Answers until the child ends or the parent is gone; then all end with us."""
    if listener is None:
        os.waitpid(pid, 0)
        return
    left = 0
    ended = kernel.syscall(_PIDFD_OPEN, pid, 0)  # not every Python has os.pidfd_open
    poll = select.poll()
    for fd in (ended, grants, listener):
        poll.register(fd, select.POLLIN)
    while True:
        asked = dict(poll.poll())
        ready = dict(poll.poll(0))  # a grant comes before the fork that it is for, yet may have been looked for before
        if ended in ready:
            return
        if grants in ready:
            granted = os.read(grants, 1 << 16)
            if not granted:
                return
            left += len(granted)
        if listener in asked:
            left -= _answer(listener, left > 0)


def _answer(listener: int, may: bool) -> int:
    """Answers the one who asks; how many grants that takes. Whoever was interrupted asks again."""
    asked = bytearray(_ASKED)
    with contextlib.suppress(OSError):  # it was interrupted, or has ended
        fcntl.ioctl(listener, _RECEIVE, asked)
        number = struct.unpack_from("=Q", asked)[0]
        answer = _ANSWER.pack(number, 0, 0, _CONTINUE) if may else _ANSWER.pack(number, 0, -errno.EPERM, 0)
        fcntl.ioctl(listener, _SEND, answer)
        return int(may)
    return 0
