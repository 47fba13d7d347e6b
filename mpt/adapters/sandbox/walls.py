"""Walls: how the operating system is asked to hold a process, each as the command line that asks."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from mpt.errors import FuzzerError

SYSTEM_FOLDERS = (
    *("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/share/zoneinfo", "/etc/ld.so.cache"),
    *("/nix/store", "/System/Library", "/usr/share/locale"),
)
"""Shared libraries, where a system has them: all that an interpreter needs beside its own folders."""
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
_NAMESPACES = (
    *("--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--uid", "65534", "--gid", "65534"),
    *("--hostname", "sandbox", "--chdir", "/"),
)


class Wall(Protocol):
    """A way to start a process so that it can do no harm."""

    @property
    def name(self) -> str:
        """As in `Sandbox.name`."""

    @property
    def confines(self) -> bool:
        """Shall the worker's children add landlock and seccomp?"""

    @property
    def unshares(self) -> bool:
        """Shall the worker enter name spaces itself?"""

    @property
    def forks(self) -> bool:
        """Does one worker fork its children, or is each an interpreter of its own?"""

    @property
    def caveats(self) -> tuple[str, ...]:
        """What it lets through by its nature, whatever a trial says; one sentence each."""

    def missing(self) -> str:
        """Why it cannot even be tried here, with the remedy; empty where it can."""

    def command(self, argv: Sequence[str], readable: Sequence[Path]) -> list[str]:
        """What to run, in ENVIRONMENT, so that `argv` runs behind the wall and sees `readable` of the host alone."""

    def tool_command(self, argv: Sequence[str], readable: Sequence[Path], writable: Sequence[Path]) -> list[str]:
        """The same for a tool that makes processes and files: /usr, /proc, a writable /tmp and empty writable folders
        at `writable` are there too. Raises FuzzerError where this wall cannot hold such a tool."""


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    """Linux name spaces through `bwrap`: nothing of the host is there but what is bound, read-only."""

    name: str = "bubblewrap"
    confines: bool = True
    unshares: bool = False
    forks: bool = True
    caveats: tuple[str, ...] = ()

    def missing(self) -> str:
        if sys.platform == "win32":
            return "Windows has nothing of the kind: install and run mpt inside WSL"
        if sys.platform != "linux":
            return "bubblewrap is for Linux"
        return "" if shutil.which("bwrap") else "bubblewrap is not installed (Debian, Ubuntu: apt install bubblewrap)"

    def command(self, argv: Sequence[str], readable: Sequence[Path]) -> list[str]:
        devices = [word for path in DEVICES for word in ("--dev-bind-try", path, path)]
        return [_bwrap(), *_NAMESPACES, *_binds(readable), *devices, "--remount-ro", "/", "--", *argv]

    def tool_command(self, argv: Sequence[str], readable: Sequence[Path], writable: Sequence[Path]) -> list[str]:
        own = ["--proc", "/proc", "--dev", "/dev"]
        empty = [word for path in ("/tmp", *map(str, writable)) for word in ("--tmpfs", path)]
        return [_bwrap(), *_NAMESPACES, *own, *empty, *_binds([Path("/usr"), Path("/bin"), *readable]), "--", *argv]


@dataclass(frozen=True, slots=True)
class Landlock:
    """Linux without bubblewrap: landlock for files, seccomp for everything else, name spaces where they can be had."""

    name: str = "landlock"
    confines: bool = True
    unshares: bool = True
    forks: bool = True
    caveats: tuple[str, ...] = ("names, sizes and dates of the host's files can be seen, what is in them cannot",)

    def missing(self) -> str:
        return "" if sys.platform == "linux" else "landlock is for Linux"

    def command(self, argv: Sequence[str], readable: Sequence[Path]) -> list[str]:
        return list(argv)

    def tool_command(self, argv: Sequence[str], readable: Sequence[Path], writable: Sequence[Path]) -> list[str]:
        raise FuzzerError("only bubblewrap holds tools that make processes of their own, such as afl-fuzz")


@dataclass(frozen=True, slots=True)
class SandboxExec:
    """macOS's own `sandbox-exec`. Written from its documentation and never tried: the trial at the start decides."""

    name: str = "sandbox-exec"
    confines: bool = False
    unshares: bool = False
    forks: bool = True
    caveats: tuple[str, ...] = (
        "a program can make processes of its own",
        "macOS does not limit the memory of a process",
        "this wall was never tried by its authors",
    )

    def missing(self) -> str:
        return "" if sys.platform == "darwin" else "sandbox-exec is for macOS"

    def command(self, argv: Sequence[str], readable: Sequence[Path]) -> list[str]:
        folders = " ".join(f'(subpath "{path}")' for path in readable)
        devices = " ".join(f'(literal "{path}")' for path in DEVICES)
        profile = (
            "(version 1)(deny default)(allow process-fork)(allow sysctl-read)(allow file-read-metadata)"
            f'(allow process-exec (literal "{argv[0]}"))(allow signal (target same-sandbox))'
            f"(allow file-read* {folders} {devices})(allow file-write-data {devices})"
        )
        return ["sandbox-exec", "-p", profile, *argv]

    def tool_command(self, argv: Sequence[str], readable: Sequence[Path], writable: Sequence[Path]) -> list[str]:
        raise FuzzerError("only bubblewrap holds tools that make processes of their own, such as afl-fuzz")


@dataclass(frozen=True, slots=True)
class PlainProcess:
    """No wall: limits on memory, time and output alone. Only ever by the person's own choice.

    Without fork (Windows) each program gets an interpreter of its own.
    """

    name: str = "none"
    confines: bool = False
    unshares: bool = False
    forks: bool = hasattr(os, "fork")

    @property
    def caveats(self) -> tuple[str, ...]:
        weaker = "no wall: a program can do whatever you can do"
        return (weaker,) if self.forks else (weaker, "on Windows this was never tried by its authors")

    def missing(self) -> str:
        return ""

    def command(self, argv: Sequence[str], readable: Sequence[Path]) -> list[str]:
        return list(argv)

    def tool_command(self, argv: Sequence[str], readable: Sequence[Path], writable: Sequence[Path]) -> list[str]:
        return list(argv)


def _bwrap() -> str:
    """Looked up in our environment: the one it runs in has no PATH."""
    return shutil.which("bwrap") or "bwrap"


def _binds(paths: Sequence[Path]) -> list[str]:
    """Read-only binds: outer folders before inner ones, none that another covers."""
    kept: list[Path] = []
    for path in sorted(set(paths)):
        if not any(path.is_relative_to(outer) for outer in kept):
            kept.append(path)
    return [word for path in map(str, kept) for word in ("--ro-bind", path, path)]
