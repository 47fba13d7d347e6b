"""What a child gives up before it loads a program: limits, then files (landlock), then system calls (seccomp)."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple, Optional

LINUX = sys.platform == "linux"
if LINUX or TYPE_CHECKING:
    from mpt.worker import kernel, landlock, seccomp, warden
if sys.platform != "win32":
    import resource

DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")
OPEN_FILES = 128
FILE_BYTES = 64 << 20
HEADROOM_BYTES = 256 << 20
"""Address space that is there before the program has anything: code, libraries, the allocator's arenas."""


class Confinement(NamedTuple):
    """What this kernel offers, made ready once by the zygote."""

    rules: Optional[int]
    """Descriptor of the landlock rules; None: no landlock."""
    filter: Optional[seccomp.Filter]
    """None: no seccomp."""

    def before_importing(self, memory_bytes: int, cpu_s: int, grants: Optional[int], control: socket.socket) -> None:
        """What the zygote itself gives up before it imports a module nobody has read: as a child does, but for forks.

        It goes on in another process (see mpt.worker.warden). cpu_s: for all its life. Raises OSError.
        """
        if self.filter is not None and grants is not None:
            kernel.no_new_privileges()
            warden.enter(seccomp.of_zygote(asks=True), seccomp.of_zygote(asks=False), grants, control)
        _limit(resource.RLIMIT_AS, memory_bytes + HEADROOM_BYTES)
        _limit(resource.RLIMIT_CPU, cpu_s)
        if self.rules is not None:
            kernel.no_new_privileges()
            landlock.restrict(self.rules)

    def apply(self, memory_bytes: int, cpu_s: int) -> None:
        """There is no way back. Raises OSError where the kernel refuses: the child must not go on."""
        limit(memory_bytes, cpu_s)
        if self.rules is None and self.filter is None:
            return
        kernel.no_new_privileges()
        if self.rules is not None:
            landlock.restrict(self.rules)
            os.close(self.rules)
        if self.filter is not None:
            kernel.install_filter(self.filter.of(os.getpid()))


NOTHING = Confinement(None, None)
"""Limits alone."""


def prepare(readable: Iterable[str]) -> Confinement:
    """What the kernel has of landlock and seccomp. `readable`: the only folders a program may read."""
    if not LINUX:
        return NOTHING
    rules = landlock.ruleset(readable, DEVICES) if landlock.version() else None
    return Confinement(rules, seccomp.Filter() if seccomp.supported() else None)


def limit_all() -> None:
    """Open files, the length of a file where there is no wall, no core: for this process and all its children."""
    if sys.platform == "win32":
        return
    _limit(resource.RLIMIT_NOFILE, OPEN_FILES)
    _limit(resource.RLIMIT_FSIZE, FILE_BYTES)
    _limit(resource.RLIMIT_CORE, 0)


def limit(memory_bytes: int, cpu_s: int) -> None:
    """On memory and CPU seconds: a signal ends it at `cpu_s`, nothing survives a second more."""
    if sys.platform == "win32":
        return  # a job object, made by the parent, limits what can be limited
    _limit(resource.RLIMIT_AS, memory_bytes + HEADROOM_BYTES)
    _limit(resource.RLIMIT_CPU, cpu_s, cpu_s + 1)


def _limit(kind: int, soft: int, hard: Optional[int] = None) -> None:
    _, ceiling = resource.getrlimit(kind)
    hard = soft if hard is None else hard
    if ceiling != resource.RLIM_INFINITY:
        soft, hard = min(soft, ceiling), min(hard, ceiling)
    resource.setrlimit(kind, (soft, hard))
