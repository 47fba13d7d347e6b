"""The sandbox against the real wall of this machine."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from builders import arguments, program, returned
from fakes import FakeWatch
from mpt.adapters.sandbox import WalledSandbox, open_sandbox
from mpt.errors import Cancelled
from mpt.values import Limits, Outcome, Raised, Stopped

LIMITS = Limits(input_s=0.3, program_s=3.0, memory_bytes=256 << 20)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[WalledSandbox]:
    if not shutil.which("bwrap"):
        pytest.skip("bubblewrap is not installed")
    opened = open_sandbox("bubblewrap")
    yield opened
    opened.close()


def outcomes(sandbox: WalledSandbox, source: str, *inputs: object) -> tuple[Outcome, ...]:
    rows = sandbox.run([program(source)], [arguments(value) for value in inputs], LIMITS, FakeWatch())
    return rows[0]


def test_a_value_comes_back_with_the_arguments_as_they_are_afterwards(sandbox: WalledSandbox) -> None:
    [outcome] = outcomes(sandbox, "def f(x):\n    x.append(3)\n    return len(x)\n", [1, 2])
    assert outcome == type(outcome)(returned(3).value, (returned([1, 2, 3]).value,))


def test_an_exception_is_a_value(sandbox: WalledSandbox) -> None:
    assert outcomes(sandbox, "def f(x): raise ValueError('no')", 1) == (Raised("ValueError", "no"),)


def test_a_call_that_does_not_end_stops_that_call_alone(sandbox: WalledSandbox) -> None:
    source = "def f(x):\n    while x == 1: pass\n    return x\n"
    assert outcomes(sandbox, source, 0, 1, 2)[1:] == (
        Stopped("time"),
        returned(2).__class__(returned(2).value, (returned(2).value,)),
    )


def test_a_program_that_does_not_load_says_why(sandbox: WalledSandbox) -> None:
    [outcome] = outcomes(sandbox, "import nosuchmodule\ndef f(x): return x\n", 1)
    assert outcome == Stopped("load", "ModuleNotFoundError: No module named 'nosuchmodule'")


def test_stopping_is_obeyed_and_the_sandbox_still_works(sandbox: WalledSandbox) -> None:
    with pytest.raises(Cancelled):
        sandbox.run([program("def f(x):\n    while True: pass\n")], [arguments(1)], LIMITS, FakeWatch(cancel_at=2))
    assert outcomes(sandbox, "def f(x): raise KeyError(1)", 1) == (Raised("KeyError", "1"),)


def test_a_task_of_the_worker_streams_what_it_emits(sandbox: WalledSandbox) -> None:
    request = {"source": "def f(x): return x", "entry_point": "f", "inputs": [[[1], {}]]}
    assert list(sandbox.call("runner", request, LIMITS, FakeWatch())) == [["loaded"], [0, "returned"]]


def test_a_tool_may_make_processes_but_sees_no_more(sandbox: WalledSandbox) -> None:
    tool = sandbox.popen_inside(["/bin/sh", "-c", "touch /tmp/mine && ls /tmp; touch /usr/theirs || echo refused"])
    out, _ = tool.communicate(timeout=20)
    assert out.decode().split() == ["mine", "refused"]
