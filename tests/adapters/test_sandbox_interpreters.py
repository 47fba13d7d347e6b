"""The document's interpreter runs the programs, from 3.9 on, with its environment; what cannot is one clear line."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from builders import arguments, program, returned
from fakes import FakeWatch
from interpreters import installed
from mpt.adapters.sandbox import WalledSandbox, open_sandbox, report_all
from mpt.adapters.sandbox.choice import WALLS, start
from mpt.adapters.sandbox.interpreter import find
from mpt.adapters.sandbox.process import Setup, WorkerBroken
from mpt.adapters.sandbox.walls import PlainProcess, Wall
from mpt.errors import InterpreterError
from mpt.values import Limits, Outcome, Returned, Stopped

HELD = [report.wall for report in report_all() if report.holds]
LIMITS = Limits(load_s=1.0, input_s=1.0)
WITHOUT_FORK = PlainProcess(forks=False)
"""How "none" is on Windows."""


def first(sandbox: WalledSandbox, source: str) -> Outcome:
    return sandbox.run([program(source)], [arguments(1)], LIMITS, FakeWatch())[0][0]


@pytest.mark.parametrize("wall", HELD)
@pytest.mark.parametrize("version", ["3.9", "3.10", "3.11", "3.12", "3.13", "3.14"])
def test_every_interpreter_since_3_9_runs_programs(version: str, wall: str) -> None:
    sandbox = open_sandbox(wall, installed(version))
    source = "import sys, dataclasses, re, decimal\ndef f(x): return '%d.%d' % sys.version_info[:2]"
    outcome = first(sandbox, source)
    blocked = first(sandbox, "import os\ndef f(x): return os.fork()")
    sandbox.close()
    assert isinstance(outcome, Returned), outcome
    assert outcome.value == returned(version).value
    assert isinstance(blocked, Stopped)
    assert blocked.cause == "blocked"


@pytest.mark.parametrize("version", ["2.7", "3.6", "3.7", "3.8"])
def test_an_interpreter_that_is_too_old_says_so(version: str) -> None:
    with pytest.raises(InterpreterError, match=rf"it is Python {version}\.\d+.*3\.9 or later"):
        open_sandbox("auto", installed(version))


def refused(python: Path) -> str:
    with pytest.raises(InterpreterError) as caught:
        open_sandbox("auto", python)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_an_interpreter_by_its_name_on_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Path(sys.executable).resolve()
    monkeypatch.setenv("PATH", str(real.parent))
    assert find(Path(real.name)).executable == real


def test_no_such_interpreter(tmp_path: Path) -> None:
    assert str(tmp_path / "python") in refused(tmp_path / "python")


def test_a_folder_without_an_interpreter(tmp_path: Path) -> None:
    assert "no interpreter at" in refused(tmp_path)


def test_an_environment_whose_base_is_gone(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").symlink_to(tmp_path / "gone" / "python3")
    assert "it points to" in refused(tmp_path)


def test_something_else_that_is_a_program() -> None:
    assert "cannot run programs" in refused(Path("/bin/true"))


def test_a_file_that_is_no_program(tmp_path: Path) -> None:
    (tmp_path / "python").write_text("hello")
    assert "is not a program" in refused(tmp_path / "python")


def test_a_script_that_starts_an_interpreter(tmp_path: Path) -> None:
    (tmp_path / "python").write_text("#!/bin/sh\nexec python3\n")
    (tmp_path / "python").chmod(0o755)
    assert "is a script" in refused(tmp_path / "python")


def test_without_fork_something_else_that_is_a_program() -> None:
    with pytest.raises(InterpreterError, match="cannot run programs"):
        start(Setup(WITHOUT_FORK, find(Path("/bin/true"))))


@pytest.mark.parametrize(
    "wall", [*(wall for wall in WALLS if wall.name in HELD), WITHOUT_FORK], ids=lambda wall: wall.name
)
def test_an_interpreter_that_hangs(wall: Wall, tmp_path: Path) -> None:
    with pytest.raises(InterpreterError, match=r"did not start within 0\.5 s"):
        start(Setup(wall, find(that_begins_with("while True: pass", tmp_path)), start_s=0.5))


@pytest.mark.parametrize("wall", [wall for wall in WALLS if wall.name in HELD], ids=lambda wall: wall.name)
def test_one_that_is_killed_while_it_starts_is_a_broken_worker(wall: Wall, tmp_path: Path) -> None:
    python = that_begins_with("import posix\nposix.kill(posix.getpid(), 9)", tmp_path)
    with pytest.raises(WorkerBroken, match="was killed while it started"):
        start(Setup(wall, find(python)))


def that_begins_with(code: str, folder: Path) -> Path:
    """An interpreter that runs `code` before it can do anything else."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    library = folder / "lib" / version
    (library / "encodings").mkdir(parents=True)
    (library / "os.py").touch()
    (library / "encodings" / "__init__.py").write_text(code)
    (folder / "bin").mkdir()
    return Path(shutil.copy(Path(sys.executable).resolve(), folder / "bin" / version))


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment with a package of its own and an editable one."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    [packages] = (folder / "venv").glob("lib/python3*/site-packages")
    (packages / "installed.py").write_text("WHERE = 'installed'")
    (folder / "source").mkdir()
    (folder / "source" / "editable.py").write_text("WHERE = 'editable'")
    (packages / "editable.pth").write_text(f"# a comment\nimport os\n{folder / 'source'}\n")
    return folder / "venv"


@pytest.fixture(params=HELD)
def sandbox(request: pytest.FixtureRequest, environment: Path, tmp_path: Path) -> Iterator[WalledSandbox]:
    (tmp_path / "near.py").write_text("WHERE = 'near'")
    (tmp_path / "endless.py").write_text("while True: pass")
    (tmp_path / "calling.py").write_text("import socket\nsocket.create_connection(('127.0.0.1', 9))")
    (tmp_path / "writing.py").write_text("open(__file__, 'a').write('x')")
    (tmp_path / "leaving.py").write_text("import os\nos._exit(3)")
    opened = open_sandbox(request.param, environment, [tmp_path])
    yield opened
    opened.close()


@pytest.mark.parametrize("name", ["installed", "editable", "near"])
def test_packages_of_the_environment_and_modules_beside_the_document(sandbox: WalledSandbox, name: str) -> None:
    outcome = first(sandbox, f"import {name}\ndef f(x): return {name}.WHERE")
    assert isinstance(outcome, Returned), outcome
    assert outcome.value == returned(name).value


@pytest.mark.parametrize(
    ("name", "detail"),
    [
        ("endless", "it did not finish loading in time"),
        ("calling", "PermissionError: [Errno 1] Operation not permitted"),
        ("leaving", "it ended its own process while loading (exit status 3)"),
        ("numpy", "ModuleNotFoundError: No module named 'numpy'"),
    ],
)
def test_a_module_that_does_not_load(sandbox: WalledSandbox, name: str, detail: str) -> None:
    assert first(sandbox, f"import {name}\ndef f(x): return x") == Stopped("load", detail)


def test_a_module_that_writes_while_it_loads(sandbox: WalledSandbox) -> None:
    outcome = first(sandbox, "import writing\ndef f(x): return x")
    assert isinstance(outcome, Stopped)
    assert outcome.cause == "load"
    assert "OSError" in outcome.detail or "PermissionError" in outcome.detail
