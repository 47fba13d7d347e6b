"""The rule for CI that tests/skips.py states, on test runs of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]


def _run(folder: Path, test: str, ci: str) -> subprocess.CompletedProcess[str]:
    (folder / "conftest.py").write_text((TESTS / "conftest.py").read_text())
    (folder / "test_it.py").write_text(f"import pytest\n{test}\n")
    environment = {**os.environ, "CI": ci, "PYTHONPATH": str(TESTS)}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", folder]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("body", "ci", "passes"),
    [
        ("pytest.skip('AFL++ is missing')", "", True),
        ("pytest.skip('AFL++ is missing')", "true", False),
        ("pytest.skip('python3.12 is not installed')", "true", True),
        ("pytest.xfail('known')", "true", True),
    ],
)
def test_ci_fails_on_a_skip_without_an_accepted_reason(tmp_path: Path, body: str, ci: str, passes: bool) -> None:
    done = _run(tmp_path, f"def test_it():\n    {body}", ci)
    assert (done.returncode == 0) is passes, done.stdout


def test_ci_fails_on_a_fixture_and_on_a_file_that_skip(tmp_path: Path) -> None:
    fixture = _run(tmp_path, "@pytest.fixture\ndef f():\n    pytest.skip('no wall')\ndef test_it(f):\n    pass", "true")
    assert fixture.returncode != 0
    assert "no wall" in fixture.stdout
    file = _run(tmp_path, "pytest.skip('no client', allow_module_level=True)", "true")
    assert file.returncode != 0
    assert "no client" in file.stdout
