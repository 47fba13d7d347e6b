"""One process at a time: an advisory lock on a file, freed by the system however its holder ends."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

_POLL_S = 0.05


def _nothing() -> None: ...


@contextmanager
def locked(path: Path, check: Callable[[], None] = _nothing) -> Iterator[None]:
    """Holds the lock; while another holds it, waits and asks `check`, which raises to give up. The file stays."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        while not _try_lock(handle):
            check()
            time.sleep(_POLL_S)
        yield
    finally:
        os.close(handle)


if sys.platform == "win32":
    import msvcrt

    def _try_lock(handle: int) -> bool:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_lock(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
