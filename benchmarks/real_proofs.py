"""What real_code.py proves of itself: no file changed, no process is left, nothing came through to the network.

Each can fail: the files are all but bytecode, new and removed ones too; processes are looked for on the whole system,
by what the sandbox starts; the listener is seen to hear whoever connects without a wall.
"""

from __future__ import annotations

import hashlib
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from mpt.adapters.sandbox import open_sandbox, report_all
from mpt.adapters.sandbox.process import WORKER
from mpt.evaluation.gather import Unwatched
from mpt.source import find_functions
from mpt.spelling import value_of
from mpt.values import Arguments, Limits, Module, Origin, Program, Stopped

_WAIT_S = 5.0
"""A process that was told to end has so long."""

# --- files ----------------------------------------------------------------------------------------


def fingerprint(folder: Path) -> dict[str, str]:
    """Every file below the folder but bytecode, by what is in it and what may be done with it; links by their aim."""
    return {str(path): _mark(path) for path in sorted(folder.rglob("*")) if not _is_passed_over(path)}


def _is_passed_over(path: Path) -> bool:
    return path.suffix == ".pyc" or path.name == "__pycache__"


def _mark(path: Path) -> str:
    if path.is_symlink():
        return "link to " + str(path.readlink())
    if path.is_dir():
        return f"folder {path.stat().st_mode:o}"
    if not path.is_file():
        return "neither file nor folder"
    return f"{path.stat().st_mode:o} {hashlib.sha256(path.read_bytes()).hexdigest()}"


def changed(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """Files that were changed, removed or made."""
    return sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))


# --- processes ------------------------------------------------------------------------------------


def workers() -> set[str]:
    """Everything that runs the sandbox's worker or its wall around it, whoever's child it is: number and start."""
    found = set()
    for folder in Path("/proc").iterdir():
        try:
            command = (folder / "cmdline").read_bytes() if folder.name.isdigit() else b""
            if str(WORKER / "__main__.py").encode() in command.split(b"\0"):
                found.add(f"{folder.name} {(folder / 'stat').read_text().rpartition(')')[2].split()[19]}")
        except OSError:  # it ended meanwhile
            continue
    return found


def left(before: set[str]) -> set[str]:
    """Those that were not there before, and do not end by themselves."""
    until = time.monotonic() + _WAIT_S
    while (still := workers() - before) and time.monotonic() < until:
        time.sleep(0.1)
    return still


# --- network --------------------------------------------------------------------------------------

_CONNECTING = '''import socket
import pandas
PORT = {port}
def plain(data: str) -> str:
    """Tell somebody."""
    with socket.create_connection(("127.0.0.1", PORT), timeout=2) as there:
        there.sendall(data.encode())
    return "told"
def packaged(data: str) -> str:
    """Have pandas ask somebody."""
    return str(pandas.read_csv(f"http://127.0.0.1:{{PORT}}/{{data}}.csv"))
'''
_TELLS = ("plain", "packaged")


@dataclass(slots=True)
class Listener:
    """On the host's loopback, all the while; heard: how many have connected."""

    port: int = 0
    heard: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def serve(self, server: socket.socket) -> None:
        while True:
            try:
                there, _ = server.accept()
            except OSError:
                return
            with there, self.lock:
                self.heard += 1
                there.settimeout(0.5)
                there.sendall(b"HTTP/1.0 200 OK\r\n\r\na,b\n1,2\n")


@contextmanager
def listening() -> Iterator[Listener]:
    """A listener that hears whatever reaches the host's loopback at its port."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        listener = Listener(server.getsockname()[1])
        threading.Thread(target=listener.serve, args=(server,), daemon=True).start()
        yield listener
        server.shutdown(socket.SHUT_RDWR)


def network(python: Path, listener: Listener) -> dict[str, object]:
    """Whether what connects is heard without the wall, and not heard behind it; and what the wall's own trial says."""
    text = _CONNECTING.format(port=listener.port)
    during = listener.heard
    outcomes = _walled(python, text)
    behind = listener.heard - during
    for name in _TELLS:
        subprocess.run([python / "bin" / "python", "-c", f"{text}\n{name}('x')"], capture_output=True, timeout=60)
    without = listener.heard - during - behind
    trial = _trial(python)
    held = during == 0 and behind == 0 and all(trial.values()) and all(one.startswith("stopped") for one in outcomes)
    return {
        "network_held": held and without == len(_TELLS),
        "network": {
            "connected_during_the_run": during,
            "behind_the_wall": behind,
            "without_it": without,
            "outcomes": outcomes,
            "trial": trial,
        },
    }


def _walled(python: Path, text: str) -> list[str]:
    """What came of the calls behind the wall, as the benchmark's own programs run there."""
    inputs = [Arguments((value_of("x"),))]
    found = find_functions(text, "telling.py", Module("telling", "", "telling.py"))
    programs = [Program(f.source, f.prompt.entry_point, Origin("target"), f.place) for f in found]
    with_wall = open_sandbox("auto", python)
    try:
        rows = with_wall.run(programs, inputs, Limits(), Unwatched())
    finally:
        with_wall.close()
    said = [row[0] for row in rows]
    return [f"stopped: {one.cause} {one.detail}" if isinstance(one, Stopped) else repr(one) for one in said]


def _trial(python: Path) -> dict[str, bool]:
    """What the strongest wall holds, as it is tried out when it is chosen."""
    wall = next(report for report in report_all(python) if report.holds)
    return {one.what: one.held for one in wall.findings}
