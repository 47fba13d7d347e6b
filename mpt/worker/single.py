"""A child without a zygote, where the system has no fork: an interpreter of its own, its request on stdin.

Nothing is warm, and what the system has of limits beside rlimits is for the parent to set, before it sends the request.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from mpt.worker import confine, start
from mpt.worker.zygote import FRAMES

_NEEDED = ("mpt.worker.runner", "mpt.worker.told")
"""By whoever imports a module."""


def serve(options: dict[str, Any]) -> None:
    """Sends frames to `options["frames"]`; where that is None, greets on stdout and leaves. Never returns."""
    start.settle(options)
    if options["frames"] is None:
        os.write(1, start.greeting(confine.NOTHING, unshared=False))
        os._exit(0)
    _move(_descriptor(options["frames"]), FRAMES)
    streams: Any = (sys.stdout, sys.stderr)
    for stream in streams:
        stream.reconfigure(newline="\n")  # on Windows, too
    request = os.dup(0)
    _move(os.open(os.devnull, os.O_RDONLY), 0)
    ours = start.hide_ourselves()
    start.load(_NEEDED, ours)
    start.child(request, confine.NOTHING, ours)


def _descriptor(inherited: int) -> int:
    """Windows hands down handles, not descriptors."""
    if sys.platform == "win32":
        import msvcrt

        return msvcrt.open_osfhandle(inherited, os.O_WRONLY)
    return inherited


def _move(fd: int, place: int) -> None:
    """What a program starts gets its stdin, and not its frames."""
    if fd != place:
        os.dup2(fd, place)
        os.close(fd)
    os.set_inheritable(place, place < FRAMES)
