"""Walls: how the operating system is asked to hold a process, each as the command line that asks."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from mpt.errors import NoWall, SettingsError

SYSTEM_FOLDERS = (
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/usr/share/zoneinfo",
    "/etc/ld.so.cache",
)
DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")
ENVIRONMENT = {
    "HOME": "/nonexistent",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "PYTHONUTF8": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}
"""All that a program finds in its environment, and PYTHONHASHSEED: the same on every machine."""


class Wall(Protocol):
    """A way to start a process so that it can do no harm."""

    @property
    def name(self) -> str:
        """As in `Sandbox.name`."""

    @property
    def confines(self) -> bool:
        """Shall the worker's children add landlock and seccomp?"""

    def command(self, argv: Sequence[str], readable: Sequence[Path]) -> list[str]:
        """What to run, in ENVIRONMENT, so that `argv` runs behind the wall and sees `readable` of the host alone."""

    def tool_command(self, argv: Sequence[str], readable: Sequence[Path], writable: Sequence[Path]) -> list[str]:
        """The same for a tool that makes processes and files: /usr, /proc and a writable /tmp are there too, and
        empty writable folders at `writable`."""


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    """Linux name spaces through `bwrap`: nothing of the host is there but what is bound, read-only."""

    executable: str
    name: str = "bubblewrap"
    confines: bool = True

    def command(self, argv: Sequence[str], readable: Sequence[Path]) -> list[str]:
        devices = [word for path in DEVICES for word in ("--dev-bind-try", path, path)]
        return [self.executable, *_NAMESPACES, *_binds(readable), *devices, "--remount-ro", "/", "--", *argv]

    def tool_command(self, argv: Sequence[str], readable: Sequence[Path], writable: Sequence[Path]) -> list[str]:
        binds = _binds([Path("/usr"), Path("/bin"), *readable])
        own = ["--proc", "/proc", "--dev", "/dev"]
        empty = [word for path in ("/tmp", *map(str, writable)) for word in ("--tmpfs", path)]
        return [self.executable, *_NAMESPACES, *own, *empty, *binds, "--", *argv]


@dataclass(frozen=True, slots=True)
class PlainProcess:
    """No wall: limits on memory, time and output alone."""

    name: str = "none"
    confines: bool = False

    def command(self, argv: Sequence[str], readable: Sequence[Path]) -> list[str]:
        return list(argv)

    def tool_command(self, argv: Sequence[str], readable: Sequence[Path], writable: Sequence[Path]) -> list[str]:
        return list(argv)


_NAMESPACES = (
    *("--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"),
    *("--uid", "65534", "--gid", "65534", "--hostname", "sandbox", "--chdir", "/"),
)


def choose(kind: str) -> Wall:
    """The wall asked for: "auto", "bubblewrap" or "none". Raises NoWall, SettingsError."""
    if kind == "none":
        return PlainProcess()
    if kind not in ("auto", "bubblewrap"):
        raise SettingsError(f"'sandbox' is auto, bubblewrap or none, not {kind!r}")
    found = shutil.which("bwrap") if sys.platform == "linux" else None
    if found is None:
        raise NoWall(
            "bubblewrap is not installed, so programs are not run: install it (Debian: apt install bubblewrap)"
        )
    return Bubblewrap(found)


def _binds(paths: Sequence[Path]) -> list[str]:
    """Read-only binds: outer folders before inner ones, none that another covers."""
    kept: list[Path] = []
    for path in sorted(set(paths)):
        if not any(path.is_relative_to(outer) for outer in kept):
            kept.append(path)
    return [word for path in map(str, kept) for word in ("--ro-bind", path, path)]
