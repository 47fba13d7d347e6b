"""Interpreters of other versions, where this machine has them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

FOLDERS = (Path.home() / ".pyenv/versions", Path.home() / ".local/share/uv/python", Path("/opt/hostedtoolcache/Python"))


def installed(version: str) -> Path:
    """An interpreter of that version, wherever people keep them; skips the test where there is none."""
    on_path = [shutil.which(f"python{version}"), shutil.which("python3")]
    kept = [path for folder in FOLDERS for path in sorted(folder.glob(f"*{version}.*/**/bin/python{version}"))]
    for candidate in [*kept, *map(Path, filter(None, on_path))]:
        if _version(candidate) == version:
            return candidate
    pytest.skip(f"python{version} is not installed")


def _version(candidate: Path) -> str:
    code = "import sys; sys.stdout.write('%d.%d' % sys.version_info[:2])"
    ran = subprocess.run([candidate, "-c", code], capture_output=True, text=True)
    return ran.stdout
