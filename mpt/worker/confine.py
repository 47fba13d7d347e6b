"""What a child gives up before it loads a program: limits, then files (landlock), then system calls (seccomp)."""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Iterable
from typing import Any, NamedTuple, Optional

LINUX = sys.platform == "linux"
if LINUX:
    from mpt.worker import kernel, landlock, seccomp

DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")
OPEN_FILES = 128
HEADROOM_BYTES = 256 << 20
"""Address space that is there before the program has anything: code, libraries, the allocator's arenas."""


class Confinement(NamedTuple):
    """What this kernel offers, made ready once by the zygote."""

    rules: Optional[int]
    """Descriptor of the landlock rules; None: no landlock."""
    filtered: bool
    """Is there seccomp?"""

    def apply(self, memory_bytes: int, cpu_s: int) -> None:
        """There is no way back. Raises OSError where the kernel refuses: the child must not go on."""
        limit(memory_bytes, cpu_s)
        if self.rules is None and not self.filtered:
            return
        kernel.no_new_privileges()
        if self.rules is not None:
            landlock.restrict(self.rules)
            os.close(self.rules)
        if self.filtered:
            kernel.install_filter(seccomp.program(os.getpid()))


NOTHING = Confinement(None, False)
"""Limits alone."""


def prepare(readable: Iterable[str]) -> Confinement:
    """What the kernel has of landlock and seccomp. `readable`: the only folders a program may read."""
    if not LINUX:
        return NOTHING
    rules = landlock.ruleset(readable, DEVICES) if landlock.version() else None
    return Confinement(rules, seccomp.supported())


def limit(memory_bytes: int, cpu_s: int) -> None:
    """Limits on memory, CPU seconds, open files; none of file is ever written and no core is left."""
    for kind, soft, hard in (
        (resource.RLIMIT_AS, memory_bytes + HEADROOM_BYTES, memory_bytes + HEADROOM_BYTES),
        (resource.RLIMIT_CPU, cpu_s, cpu_s + 1),
        (resource.RLIMIT_NOFILE, OPEN_FILES, OPEN_FILES),
        (resource.RLIMIT_FSIZE, 0, 0),
        (resource.RLIMIT_CORE, 0, 0),
    ):
        _, ceiling = resource.getrlimit(kind)
        if ceiling != resource.RLIM_INFINITY:
            soft, hard = min(soft, ceiling), min(hard, ceiling)
        resource.setrlimit(kind, (soft, hard))


def describe(confinement: Confinement) -> dict[str, Any]:
    """For the parent: versions of what holds."""
    return {"landlock": 0 if confinement.rules is None else landlock.version(), "seccomp": confinement.filtered}
