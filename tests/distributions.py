"""Small distributions as an installer leaves them in a folder, and environments of their own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path


def install(folder: Path, name: str, module: str, text: str, entry_points: Mapping[str, str] | None = None) -> None:
    """Into a folder of packages. entry_points: of the group mpt.types, name → "module:object"."""
    (folder / f"{module}.py").write_text(text, encoding="utf-8")
    about = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    about.mkdir(exist_ok=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = [f"{key} = {value}" for key, value in (entry_points or {}).items()]
    (about / "entry_points.txt").write_text("\n".join(["[mpt.types]", *lines, ""]))


def environment(folder: Path) -> Path:
    """A virtual environment's folder of packages; the environment is `folder`."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    [packages] = folder.glob("lib/python3*/site-packages")
    return packages
