"""The rule for CI that tests/skips.py states, on a suite of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]

SKIPPING = """
import pytest

@pytest.fixture
def wall():
    pytest.skip("no wall")

def test_by_itself():
    pytest.skip("AFL++ is not installed")

def test_by_its_fixture(wall):
    pass

@pytest.mark.skipif(True, reason="no screen")
def test_by_its_mark():
    pass

def test_for_an_accepted_reason():
    pytest.skip("python3.12 is not installed")

@pytest.mark.xfail
def test_known_to_fail():
    assert False

def test_that_runs():
    pass
"""
A_WHOLE_FILE = "import pytest\npytest.skip('no client', allow_module_level=True)\n"


def _refused(folder: Path, ci: str) -> set[str]:
    """The tests and files that failed."""
    (folder / "conftest.py").write_text((TESTS / "conftest.py").read_text())
    (folder / "test_some.py").write_text(SKIPPING)
    (folder / "test_whole.py").write_text(A_WHOLE_FILE)
    command = [sys.executable, "-m", "pytest", "-rfE", "--continue-on-collection-errors", "-p", "no:cacheprovider", "."]
    environment = {**os.environ, "CI": ci, "PYTHONPATH": str(TESTS)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    failed = re.findall(r"^(?:FAILED|ERROR) ([\w.:]+)", done.stdout, re.MULTILINE)
    assert (done.returncode != 0) is bool(failed), done.stdout
    return set(failed)


def test_in_ci_a_skip_fails_unless_its_reason_is_accepted(tmp_path: Path) -> None:
    assert _refused(tmp_path, ci="true") == {
        "test_some.py::test_by_itself",
        "test_some.py::test_by_its_fixture",
        "test_some.py::test_by_its_mark",
        "test_whole.py",
    }


def test_elsewhere_a_skip_is_a_skip(tmp_path: Path) -> None:
    assert _refused(tmp_path, ci="") == set()
