"""What can be said of Windows without one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from mpt.adapters.sandbox.interpreter import find


def test_every_module_can_be_imported() -> None:
    script = Path(__file__).with_name("import_as_windows.py")
    ran = subprocess.run([sys.executable, script], capture_output=True, text=True)
    assert (ran.stdout, ran.stderr) == ("", "")


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")


@pytest.mark.usefixtures("windows")
def test_an_environments_base_is_started_itself(tmp_path: Path) -> None:
    """Its own python.exe starts that one as a second process, which the limits forbid."""
    base, environment, source = tmp_path / "Python311", tmp_path / "venv", tmp_path / "source"
    for folder in (base / "Lib", environment / "Scripts", environment / "Lib" / "site-packages", source):
        folder.mkdir(parents=True)
    for executable in (base / "python.exe", environment / "Scripts" / "python.exe"):
        executable.write_bytes(b"MZ")
        executable.chmod(0o755)
    (environment / "pyvenv.cfg").write_text(f"home = {base}\nversion = 3.11.7\n")
    (environment / "Lib" / "site-packages" / "editable.pth").write_text(f"{source}\n")
    for asked in (environment, environment / "Scripts" / "python.exe"):
        found = find(asked)
        assert found.executable == base / "python.exe"
        assert found.prefixes == (environment,)
        assert found.linked == (source,)
    assert find(base / "python.exe").prefixes == (base,)
