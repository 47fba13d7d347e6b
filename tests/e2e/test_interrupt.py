"""Ctrl-C in each phase: said, obeyed, nothing left running, the store as good as before."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from chat_server import Answer, Asked
from command_line import FAST, RIGHT, Home, home_with_model, is_program, scripted
from processes import children_of, is_running

ENDLESS = "```python\ndef double(x):\n    while x != 2:\n        pass\n    return 4\n```"


def _descendants(pid: int) -> set[int]:
    children = children_of(pid)
    return set(children).union(*(_descendants(child) for child in children))


def _wait_for(condition: Callable[[], bool], seconds: float = 60.0) -> bool:
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)
    return condition()


def _interrupt(home: Home, when: Callable[[int], bool], *flags: str) -> tuple[int, str, set[int]]:
    """Starts a check, sends Ctrl-C once `when(pid)` holds; (exit code, stderr, processes it had then)."""
    process = home.start("check", "a.py", *FAST, *flags)
    try:
        assert _wait_for(lambda: when(process.pid)), "the phase was never reached"
        had = _descendants(process.pid)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
    return process.returncode, err, had


def _is_over(code: int, err: str, had: set[int]) -> None:
    assert code == 130
    assert err.strip().splitlines()[-1] == "mpt: stopped"
    assert "Traceback" not in err
    assert _wait_for(lambda: not any(map(is_running, had)), 10), "something was left running"


@pytest.mark.parametrize("phase", ["paraphrase", "generate"])
def test_while_the_model_is_asked(tmp_path: Path, phase: str) -> None:
    hold = threading.Event()
    usual = scripted()

    def answer(asked: Asked) -> Answer:
        late = is_program(asked) == (phase == "generate")
        given = usual(asked)
        return Answer(given.body, until=hold) if late else given

    with home_with_model(tmp_path, answer) as (home, server):
        home.write("a.py", RIGHT)
        wanted = 1 if phase == "paraphrase" else 6
        try:
            _is_over(*_interrupt(home, lambda pid: len(server.asked) >= wanted))
        finally:
            hold.set()
        after = home.run("check", "a.py", *FAST)
    assert (after.code, after.functions[0]["status"]) == (0, "CONSISTENT")


@pytest.mark.parametrize("fuzzer", ["afl", "loop"])
def test_while_fuzzing(tmp_path: Path, fuzzer: str) -> None:
    home_settings = "fuzz_s = 60\nfuzz_executions = 10000000\n"
    with home_with_model(tmp_path) as (home, server):
        home.settings(home_settings)
        home.write("a.py", RIGHT)
        asked_all = lambda pid: len(server.asked) >= 10  # noqa: E731
        busy = lambda pid: asked_all(pid) and len(_descendants(pid)) >= 3  # noqa: E731
        _is_over(*_interrupt(home, busy, "--fuzzer", fuzzer, "--inputs", "1000"))
        home.settings("")
        after = home.run("check", "a.py", *FAST)
    assert after.code == 0


def test_while_programs_run(tmp_path: Path) -> None:
    with home_with_model(tmp_path, scripted(ENDLESS)) as (home, server):
        home.settings("input_s = 60\nprogram_s = 600\nfuzz_executions = 10\n")
        home.write("a.py", RIGHT)

        def running(pid: int) -> bool:
            return len(server.asked) >= 10 and any(_cpu_ticks(one) > 50 for one in _descendants(pid))

        _is_over(*_interrupt(home, running))
        home.settings("")
        home.write("a.py", RIGHT.replace("twice", "two times"))
        after = home.run("check", "a.py", *FAST)
    assert "Traceback" not in after.err
    assert any("could be compared" in note for note in after.functions[0]["notes"])


def _cpu_ticks(pid: int) -> int:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return int(fields[11])
