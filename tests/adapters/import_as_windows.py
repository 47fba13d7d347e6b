"""Imports every module of ours as if this were Windows, and prints those that fail: what Windows lacks is taken away,
what it has besides is stood in for. What others wrote was imported before and stays as it is here."""

from __future__ import annotations

import importlib
import os
import pkgutil
import signal
import socket
import subprocess
import sys
from types import ModuleType

import mpt
import mpt_server

OTHERS = {
    *("mpt.worker.kernel", "mpt.worker.landlock", "mpt.worker.seccomp", "mpt.worker.namespaces"),  # Linux's own
    "mpt.worker.warden",
    "mpt.adapters.sandbox.group",  # of POSIX
    "mpt.worker.__main__",  # a script
}
"""Not meant to be imported there."""
WINDOWS = {"mpt.adapters.sandbox.windows"}
MODULES = ("fcntl", "resource", "pwd", "grp", "termios", "pty", "syslog", "readline")
ATTRIBUTES = {
    os: (
        *("fork", "register_at_fork", "memfd_create", "set_blocking", "setsid", "killpg", "wait4", "waitid", "WNOHANG"),
        *("sched_getaffinity", "sysconf", "getuid", "pidfd_open"),
    ),
    signal: (
        *("SIGKILL", "SIGCHLD", "SIGHUP", "SIGXCPU", "SIGSYS", "SIGVTALRM", "SIGALRM"),
        *("setitimer", "ITIMER_VIRTUAL"),
    ),
    socket: ("AF_UNIX", "SCM_RIGHTS", "CMSG_SPACE"),
}
MORE = (
    *("msvcrt", "pywintypes", "winerror"),
    *("win32api", "win32con", "win32event", "win32job", "win32pipe", "win32process"),
)


class StandIn(ModuleType):
    """Every name in it is a number, as those used at import are."""

    def __getattr__(self, name: str) -> int:
        return 1


def names() -> list[str]:
    packages = (mpt, mpt_server)
    found = [one for package in packages for one in pkgutil.walk_packages(package.__path__, package.__name__ + ".")]
    return ["mpt", "mpt_server", *(one.name for one in found if one.name not in OTHERS)]


def become_windows() -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] in ("mpt", "mpt_server")]:
        del sys.modules[name]
    for name in MODULES:
        sys.modules[name] = None  # type: ignore[assignment]
    for module, attributes in ATTRIBUTES.items():
        for attribute in attributes:
            delattr(module, attribute)
    for name in MORE:
        sys.modules[name] = StandIn(name)
    subprocess.DETACHED_PROCESS = 8
    sys.platform = "win32"


def main() -> None:
    ours = names()
    for name in set(ours) - WINDOWS:
        importlib.import_module(name)
    become_windows()
    for name in ours:
        try:
            importlib.import_module(name)
        except Exception as error:
            print(f"{name}: {error!r}")
    for name in OTHERS & set(sys.modules):
        print(f"{name}: imported by another")


if __name__ == "__main__":
    main()
