"""Every hostile module through every wall, while it is imported: contained, told, and the next function is judged.

A hostile module is a file of `hostile_imports/` that says in its first two lines what it tries and what must come of
it, several divided by " | ": `Imported` and how one of the notes begins, `Failed` and how the reason begins. It finds
where the canaries are in HOST. What it asserts is that it was held.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from adapters.test_sandbox_hostile import FINGERPRINT, WALLS, Behind, Host, arguments, descendants
from builders import returned
from fakes import FakeWatch
from mpt.adapters.sandbox import open_sandbox
from mpt.values import Importing, Limits, Module, Origin, Place, Program, Returned, Stopped

MODULES = sorted(Path(__file__).with_name("hostile_imports").glob("*.py"))
LIMITS = Limits(load_s=1.0, input_s=0.5, program_s=2.0, memory_bytes=128 << 20)
ASKED = Program("def f(host): return ONE", "f", Origin("target"))


@pytest.fixture(scope="module", params=WALLS)
def behind(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Behind]:
    with ExitStack() as stack:
        host = Host(tmp_path_factory.mktemp("host"))
        facts = host.open(stack)
        sandbox = open_sandbox(request.param)
        stack.callback(sandbox.close)
        (fingerprint,) = sandbox.run([FINGERPRINT], [arguments(facts)], LIMITS, FakeWatch())[0]
        yield Behind(sandbox, host, facts, host.files(), fingerprint, descendants())


def fits(importing: Importing, expectation: str) -> bool:
    kind, _, start = expectation.partition(" ")
    if kind == "Failed":
        return importing.failure is not None and importing.failure.startswith(start)
    return importing.failure is None and (not start or any(note.startswith(start) for note in importing.notes))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_contained(behind: Behind, path: Path) -> None:
    text = path.read_text()
    tries, expected = text.splitlines()[:2]
    assert tries.startswith("# Tries: ")
    module = Module("hostile", f"HOST = {behind.facts!r}\n{text}")
    importing = behind.sandbox.imported(module, LIMITS, FakeWatch())
    assert any(fits(importing, one) for one in expected.removeprefix("# Expect: ").split(" | ")), importing
    program = Program(ASKED.source, "f", ASKED.origin, Place(module, "f"))
    outcome = behind.run(program)
    if importing.failure is None and "| Failed" not in expected:
        assert isinstance(outcome, Returned), outcome
        assert outcome.value == returned(1).value
    else:
        assert isinstance(outcome, Stopped | Returned)
    assert behind.host.reached() == [], "it reached a socket of the host"
    assert behind.host.files() == behind.before, "it changed a file of the host"
    assert behind.run(FINGERPRINT) == behind.fingerprint, "it changed something for the next program"


def test_no_process_is_left_when_all_is_closed(behind: Behind) -> None:
    behind.sandbox.close()
    assert descendants() == set()


def test_there_are_enough() -> None:
    assert len(MODULES) >= 15
