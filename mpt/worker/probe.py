"""Tries, from where a program runs, what a wall must not let through.

The request: port (of a listener on the host's loopback), secret (a file of the host), writable (folders of the host),
bytes (more memory than is allowed). One answer each: `[what, held?, detail]`.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

KNOWN = frozenset(
    (
        *("HOME", "LC_ALL", "TZ", "PYTHONUTF8", "PYTHONHASHSEED", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"),
        *("MKL_NUM_THREADS", "PWD", "LC_CTYPE", "__CF_USER_TEXT_ENCODING", "SYSTEMROOT"),
    )
)
"""Names in the environment that are ours, or that the system itself puts there."""
POSIX = ("sockets of other programs", "other processes", "signals to others")
"""What can only be tried there."""


def run(request: dict[str, Any], emit: Callable[..., None], context: object = None) -> None:
    attempts: dict[str, Callable[[], str]] = {
        "network": lambda: _connect(request["port"]),
        "names of hosts": _resolve,
        "sockets of other programs": _unix_socket,
        "files of the host": lambda: Path(request["secret"]).read_text()[:20],
        "writing": lambda: _write(request["writable"]),
        "other processes": _look_around,
        "signals to others": _signal,
        "new processes": _start_process,
        "environment": _environment,
        "memory": lambda: str(len(bytearray(request["bytes"]))),
    }
    for what, attempt in attempts.items():
        if sys.platform == "win32" and what in POSIX:
            continue
        try:
            detail, held = attempt(), False
        except (OSError, MemoryError, Held) as error:
            detail, held = str(error), True
        emit([what, held, detail[:200]])


class Held(Exception):
    """The attempt failed without an error of the system's."""


def _connect(port: int) -> str:
    with socket.create_connection(("127.0.0.1", port), timeout=1):
        return "connected to the host's loopback"


def _resolve() -> str:
    return str(socket.getaddrinfo("localhost", 80))


def _unix_socket() -> str:
    with socket.socket(socket.AF_UNIX):
        return "made a socket"


def _write(folders: list[str]) -> str:
    refusals = []
    for folder in folders:
        path = Path(folder, "written-by-a-trial-of-the-sandbox")
        try:
            path.touch(exist_ok=False)
        except OSError as error:
            refusals.append(str(error))
        else:
            path.unlink()
            return "made a file in " + folder
    raise Held(refusals[0] if refusals else "")


def _look_around() -> str:
    others = [path for path in Path("/proc").iterdir() if path.name.isdigit() and int(path.name) != os.getpid()]
    if not others:
        raise Held("no other process in /proc")
    return (others[0] / "cmdline").read_text()


def _signal() -> str:
    os.kill(os.getppid() or 1, 0)
    return "could signal its parent"


def _start_process() -> str:
    if sys.platform == "win32":
        subprocess.run([sys.executable, "-c", ""], stdin=subprocess.DEVNULL)
    else:
        pid = os.fork()
        if pid == 0:
            os._exit(0)
        os.waitpid(pid, 0)
    return "made a process"


def _environment() -> str:
    foreign = sorted(set(os.environ) - KNOWN)
    if not foreign:
        raise Held("nothing in it but what we put there")
    return "found " + ", ".join(foreign)
