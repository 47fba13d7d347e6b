"""Does a wall hold? Found out by trying, in a child as every program gets one, started by the very same flags."""

from __future__ import annotations

import socket
import tempfile
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from mpt.adapters.sandbox import running
from mpt.adapters.sandbox.process import WORKER, Worker
from mpt.errors import SandboxError
from mpt.values import Limits, Stopped

_LIMITS = Limits(load_s=10.0, input_s=5.0, program_s=20.0, memory_bytes=64 << 20)
_TOO_MUCH = 1 << 30


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing a wall must stop. `detail`: the system's refusal, or what came through."""

    what: str
    held: bool
    detail: str


@dataclass(frozen=True, slots=True)
class WallReport:
    """What a wall is worth on this machine.

    holds: it stops everything it must. tried: whether it was; False where it belongs to another system.
    reason: why it does not hold, one line, with the remedy. caveats: what it lets through by its nature.
    """

    wall: str
    holds: bool
    tried: bool
    reason: str = ""
    findings: tuple[Finding, ...] = ()
    caveats: tuple[str, ...] = ()


def findings(worker: Worker) -> tuple[Finding, ...]:
    """Tries everything in a child of `worker`. Raises SandboxError where the trial itself fails."""
    with tempfile.TemporaryDirectory() as folder, closing(socket.create_server(("127.0.0.1", 0))) as listener:
        secret = Path(folder, "secret")
        secret.write_text("a secret of the host")
        request = {
            "port": listener.getsockname()[1],
            "secret": str(secret),
            "writable": [folder, str(WORKER), "/tmp", str(Path.home()), "/dev/shm", "/"],
            "bytes": _TOO_MUCH,
        }
        seen = list(running.call(worker, "probe", request, _LIMITS, _Unwatched()))
    found = []
    for item in seen:
        match item:
            case [str(what), bool(held), str(detail)]:
                found.append(Finding(what, held, detail))
            case Stopped(cause, detail):
                raise SandboxError(f"the trial of the wall did not come to its end ({cause} {detail})")
            case _:
                raise SandboxError("the trial of the wall gave a strange answer")
    return tuple(found)


class _Unwatched:
    """Nobody waits for a trial that takes milliseconds."""

    def phase(self, name: str, total: int) -> None: ...

    def advance(self, steps: int = 1) -> None: ...

    def check(self) -> None: ...
