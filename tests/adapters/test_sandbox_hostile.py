"""Every hostile program through every wall this machine has: contained, the right outcome, nobody harmed, nothing left.

A hostile program is a file of `hostile/` that defines `f(host)` and says in its first two lines what it tries and which
outcomes are right, several divided by " | ": `Returned EXPRESSION` (or `Returned` alone for any value), `Wire TEXT`,
`Raised TYPE`, `Stopped CAUSE`, `Opaque TYPE`. `host` is where the canaries are: things of the host it must not reach.
"""

from __future__ import annotations

import os
import secrets
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from builders import arguments
from fakes import FakeWatch
from mpt.adapters.sandbox import WalledSandbox, open_sandbox, report_all
from mpt.values import Limits, Opaque, Origin, Outcome, Program, Raised, Returned, Stopped
from mpt.worker import codec

PROGRAMS = sorted(Path(__file__).with_name("hostile").glob("[!_]*.py"))
WALLS = [report.wall for report in report_all() if report.holds]
LIMITS = Limits(load_s=1.0, input_s=0.4, program_s=1.0, memory_bytes=128 << 20, output_bytes=1 << 20)
FINGERPRINT = Program(
    Path(__file__).with_name("hostile").joinpath("_fingerprint.py").read_text(), "f", Origin("target")
)


@dataclass
class Host:
    """What must not be reached: files, sockets, processes."""

    folder: Path
    token: str = field(default_factory=lambda: secrets.token_hex(16))
    listeners: list[socket.socket] = field(default_factory=list)

    def __post_init__(self) -> None:
        for name in ("project", "tmp", "home"):
            (self.folder / name).mkdir()
        (self.folder / "secret").write_text(self.token)
        (self.folder / "project" / "code.py").write_text(self.token)

    def open(self, stack: ExitStack) -> dict[str, object]:
        """Opens the canaries; what a program is told of them."""
        abstract = f"mpt-{secrets.token_hex(8)}"
        tcp = self._listen(stack, socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0))
        udp = self._listen(stack, socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0))
        self._listen(stack, socket.AF_UNIX, socket.SOCK_STREAM, str(self.folder / "stream"))
        self._listen(stack, socket.AF_UNIX, socket.SOCK_DGRAM, str(self.folder / "datagram"))
        self._listen(stack, socket.AF_UNIX, socket.SOCK_DGRAM, "\0" + abstract)
        return {
            **{name: str(self.folder / name) for name in ("home", "project", "tmp", "secret")},
            "unix": str(self.folder / "stream"),
            "unix_datagram": str(self.folder / "datagram"),
            "tcp": tcp,
            "udp": udp,
            "abstract": abstract,
            "parent": os.getpid(),
        }

    def _listen(self, stack: ExitStack, family: int, kind: int, address: object) -> int:
        listener = stack.enter_context(socket.socket(family, kind))
        listener.bind(address)  # type: ignore[arg-type]
        if kind == socket.SOCK_STREAM:
            listener.listen()
        listener.setblocking(False)
        self.listeners.append(listener)
        return int(listener.getsockname()[1]) if family == socket.AF_INET else 0

    def files(self) -> dict[str, tuple[int, int, float]]:
        found = [self.folder, *self.folder.rglob("*")]
        return {str(path): (path.stat().st_mode, path.stat().st_size, path.stat().st_mtime) for path in found}

    def reached(self) -> list[str]:
        """The sockets that somebody spoke to."""
        return [str(listener) for listener in self.listeners if _spoken_to(listener)]


def _spoken_to(listener: socket.socket) -> bool:
    try:
        if listener.type == socket.SOCK_STREAM:
            listener.accept()[0].close()
        else:
            listener.recv(10)
    except BlockingIOError:
        return False
    return True


@dataclass
class Behind:
    """An open wall with its canaries around it."""

    sandbox: WalledSandbox
    host: Host
    facts: dict[str, object]
    before: dict[str, tuple[int, int, float]]
    fingerprint: Outcome
    processes: set[int]

    def run(self, program: Program) -> Outcome:
        return self.sandbox.run([program], [arguments(self.facts)], LIMITS, FakeWatch())[0][0]


@pytest.fixture(scope="module", params=WALLS)
def behind(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Behind]:
    with ExitStack() as stack:
        host = Host(tmp_path_factory.mktemp("host"))
        facts = host.open(stack)
        before = descendants()
        sandbox = open_sandbox(request.param)
        stack.callback(sandbox.close)
        (fingerprint,) = sandbox.run([FINGERPRINT], [arguments(facts)], LIMITS, FakeWatch())[0]
        yield Behind(sandbox, host, facts, host.files(), fingerprint, descendants() - before)


def descendants() -> set[int]:
    """Process ids of everything below us."""
    parents: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue  # it ended meanwhile
    below = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in below} - below:
        below |= more
    return below - {os.getpid()}


def expected(program: Path) -> list[str]:
    line = program.read_text().splitlines()[1]
    assert line.startswith("# Expect: "), f"{program.name}: its second line says what to expect"
    return line.removeprefix("# Expect: ").split(" | ")


def fits(outcome: Outcome, expectation: str) -> bool:
    kind, _, detail = expectation.partition(" ")
    match outcome:
        case Returned(value):
            return (kind == "Wire" and value.wire == detail) or (
                kind == "Returned" and (not detail or value.wire == codec.encode(eval(detail)))
            )
        case Raised(name):
            return (kind, detail) == ("Raised", name)
        case Stopped(cause):
            return (kind, detail) == ("Stopped", cause)
        case Opaque(name):
            return (kind, detail) == ("Opaque", name)


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_contained(behind: Behind, path: Path) -> None:
    outcome = behind.run(Program(path.read_text(), "f", Origin("target")))
    assert any(fits(outcome, expectation) for expectation in expected(path)), str(outcome)[:1000]
    assert behind.host.token not in str(outcome), "it read a secret"
    assert behind.host.reached() == [], "it reached a socket of the host"
    assert behind.run(FINGERPRINT) == behind.fingerprint, "it changed something for the next program"
    assert behind.host.files() == behind.before, "it changed a file of the host"


def test_a_second_later_no_process_and_no_file_is_left(behind: Behind) -> None:
    time.sleep(1)
    assert descendants() - behind.processes == set()
    assert behind.host.files() == behind.before
    assert behind.host.reached() == []


def test_there_are_walls_and_enough_hostile_programs() -> None:
    assert WALLS
    assert len(PROGRAMS) >= 60
    assert all(path.read_text().startswith("# Tries: ") for path in PROGRAMS)
