"""The worker dies with its parent, leaves when it is idle, and is replaced when it breaks."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from builders import arguments, program, returned
from fakes import FakeWatch
from mpt.adapters.sandbox import WalledSandbox, report_all
from mpt.adapters.sandbox.choice import WALLS, choose, start
from mpt.adapters.sandbox.interpreter import find
from mpt.adapters.sandbox.process import Setup, WorkerProcess
from mpt.adapters.sandbox.walls import PlainProcess, Wall
from mpt.errors import Cancelled, SandboxError
from mpt.values import Limits, Returned

HELD = [report.wall for report in report_all() if report.holds]
KILLS = 200
"""Through the wall that is used; some through the others."""
SOON_S = 10.0
"""However busy the machine: by then what should be gone is gone."""


def marked(mark: Path) -> list[int]:
    """Processes whose command line names the folder `mark`."""
    found = []
    for cmdline in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if os.fsencode(mark) in cmdline.read_bytes():
                found.append(int(cmdline.parent.name))
        except OSError:
            continue  # it ended meanwhile
    return found


def eventually(true: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + SOON_S
    while not true():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


@pytest.mark.parametrize(
    ("wall", "kills", "options"),
    [*((wall, KILLS if wall == HELD[0] else 30, []) for wall in HELD), *((wall, 15, ["--deaf"]) for wall in HELD)],
)
def test_killing_the_parent_at_any_moment_leaves_no_process(
    wall: str, kills: int, options: list[str], tmp_path: Path
) -> None:
    moments = random.Random(0)
    script = Path(__file__).with_name("lifetime_nursery.py")
    environment = {**os.environ, "PYTHONPATH": str(script.parent.parent)}
    command = [sys.executable, str(script), *options]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True
    ) as nursery:
        assert nursery.stdin
        assert nursery.stdout
        seen_alive = 0
        for number in range(kills):
            print(wall, tmp_path, file=nursery.stdin, flush=True)
            parent = int(nursery.stdout.readline())
            time.sleep(0.001 if number % 10 == 0 else moments.uniform(0, 0.12))
            seen_alive += bool(marked(tmp_path))
            os.kill(parent, signal.SIGKILL)
        nursery.stdin.close()
    assert seen_alive > kills / 4, "hardly any parent had started its worker: nothing was tried"
    assert eventually(lambda: marked(tmp_path) == []), marked(tmp_path)


@pytest.fixture(params=HELD)
def worker(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[WorkerProcess]:
    [wall] = [wall for wall in WALLS if wall.name == request.param]
    worker = WorkerProcess(Setup(wall, find(None), (tmp_path,), idle_s=0.1))
    yield worker
    worker.close()


def test_an_idle_worker_leaves(worker: WorkerProcess, tmp_path: Path) -> None:
    assert eventually(lambda: not worker.alive)
    assert eventually(lambda: marked(tmp_path) == [])


def test_a_worker_that_left_is_started_again(worker: WorkerProcess) -> None:
    sandbox = WalledSandbox(worker)
    assert eventually(lambda: not worker.alive)
    [[outcome]] = sandbox.run([program("def f(x): return x")], [arguments(7)], Limits(), FakeWatch())
    sandbox.close()
    assert isinstance(outcome, Returned)
    assert outcome.value == returned(7).value


class Saboteur(FakeWatch):
    """Kills the worker the first so many times it is asked."""

    def __init__(self, mark: Path, times: int) -> None:
        super().__init__()
        self.mark = mark
        self.times = times

    def check(self) -> None:
        if self.times and marked(self.mark):
            self.times -= 1
            for pid in marked(self.mark):
                with contextlib.suppress(ProcessLookupError):  # it went with the one before
                    os.kill(pid, signal.SIGKILL)
            assert eventually(lambda: not marked(self.mark))


def test_a_worker_that_breaks_is_replaced_once(worker: WorkerProcess, tmp_path: Path) -> None:
    sandbox = WalledSandbox(worker)
    programs = [program(f"def f(x): return {n}", n) for n in range(5)]
    rows = sandbox.run(programs, [arguments(1)], Limits(), Saboteur(tmp_path, 1))
    sandbox.close()
    assert [row[0].value for row in rows if isinstance(row[0], Returned)] == [returned(n).value for n in range(5)]


def test_a_worker_that_breaks_again_is_our_failure(worker: WorkerProcess, tmp_path: Path) -> None:
    sandbox = WalledSandbox(worker)
    with pytest.raises(SandboxError, match="sandbox worker"):
        sandbox.run([program("def f(x): return x")], [arguments(1)], Limits(), Saboteur(tmp_path, 9))
    sandbox.close()


@pytest.mark.parametrize("wall", [WALLS[0], PlainProcess(forks=False)], ids=["forked", "without fork"])
def test_closing_cancels_what_runs_and_leaves_nothing(wall: Wall, tmp_path: Path) -> None:
    sandbox = WalledSandbox(start(Setup(wall, find(None), (tmp_path,))))
    closer = threading.Timer(0.2, sandbox.close)
    closer.start()
    with pytest.raises(Cancelled):
        sandbox.run([program("def f(x):\n    while True: pass")] * 50, [arguments(1)], Limits(), FakeWatch())
    closer.join()
    sandbox.close()
    assert eventually(lambda: marked(tmp_path) == [])


@pytest.mark.parametrize("then", ["return x", "while True: pass", "os._exit(3)"])
def test_without_fork_what_a_program_starts_ends_with_it(then: str, tmp_path: Path) -> None:
    source = (
        "import os, subprocess, sys\n"
        f"def f(x):\n    subprocess.Popen([sys.executable, '-c', 'while True: pass', {str(tmp_path)!r}])\n    {then}\n"
    )
    sandbox = WalledSandbox(start(Setup(PlainProcess(forks=False), find(None))))
    sandbox.run([program(source)], [arguments(1)], Limits(input_s=0.5), FakeWatch())
    assert eventually(lambda: marked(tmp_path) == [])
    sandbox.close()


def test_a_thread_that_ends_does_not_take_the_worker_along(tmp_path: Path) -> None:
    opened: list[WalledSandbox] = []
    opener = threading.Thread(target=lambda: opened.append(WalledSandbox(choose("auto", Setup(WALLS[0], find(None))))))
    opener.start()
    opener.join()
    time.sleep(0.2)
    [sandbox] = opened
    [worker] = sandbox._idle
    assert worker.alive
    sandbox.close()
