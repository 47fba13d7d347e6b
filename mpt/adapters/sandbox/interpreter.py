"""The document's interpreter: where it is and which folders it needs, found without running it.

It runs inside the wall alone, so everything here is read from the file system: symbolic links, `pyvenv.cfg`, `.pth`.
"""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from mpt.errors import InterpreterError

OLDEST = (3, 9)


@dataclass(frozen=True, slots=True)
class Interpreter:
    """executable: the real file. prefixes: whose site-packages count. linked: folders that `.pth` files add to them.
    folders: all it reads, present ones only."""

    executable: Path
    prefixes: tuple[Path, ...]
    linked: tuple[Path, ...]
    folders: tuple[Path, ...]


def find(python: Path | None) -> Interpreter:
    """The interpreter `python`: a file, a virtual environment's folder, or a name on the PATH; None: ours.

    Raises InterpreterError.
    """
    asked = Path(sys.executable) if python is None else python.expanduser().absolute()
    if python is not None and not asked.exists() and (named := shutil.which(str(python))):
        asked = Path(named)
    if asked.is_dir():
        asked = asked / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    environment, shares_base, home = _environment(asked)
    if sys.platform == "win32" and home:
        asked = home / asked.name  # what lies in the environment only starts that, as a process of its own
    real = asked.resolve()
    _check(asked, real)
    base = real.parent if sys.platform == "win32" else real.parent.parent
    prefixes = (environment, *([base] if shares_base else [])) if environment else (base,)
    libraries = [prefix / name for prefix in (base, *prefixes) for name in ("lib", "lib64")]
    linked = tuple(path for prefix in prefixes for path in _linked_folders(prefix))
    folders = dict.fromkeys(path for path in (real, *libraries, *linked) if path.exists())
    return Interpreter(real, prefixes, linked, tuple(folders))


def _check(asked: Path, real: Path) -> None:
    if not real.exists():
        gone = f" (it points to {real})" if asked.is_symlink() else ""
        raise InterpreterError(f"no interpreter at {asked}{gone}: make the environment again, or choose with --python")
    if not real.is_file() or not os.access(real, os.X_OK):
        raise InterpreterError(f"{asked} is not a program: choose another interpreter with --python")
    with real.open("rb") as file:
        if file.read(2) == b"#!":
            raise InterpreterError(
                f"{asked} is a script, not an interpreter: name the one that it starts with --python"
            )


def _environment(asked: Path) -> tuple[Path | None, bool, Path | None]:
    """The virtual environment an executable belongs to, whether it sees its base's site-packages too, and the folder
    of its base's executable."""
    for folder in (asked.parent.parent, asked.parent):
        try:
            text = (folder / "pyvenv.cfg").read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        lines = (line.partition("=") for line in text.splitlines())
        settings = {key.strip().lower(): value.strip() for key, _, value in lines}
        home = Path(settings["home"]) if "home" in settings else None
        return folder, settings.get("include-system-site-packages", "false").lower() == "true", home
    return None, True, None


def _linked_folders(prefix: Path) -> list[Path]:
    """Folders that `.pth` files of a prefix add: editable installs."""
    found = []
    packages = "Lib/site-packages" if sys.platform == "win32" else "lib/python3.*/site-packages"
    for file in sorted(prefix.glob(f"{packages}/*.pth")):
        for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
            path = file.parent / line.strip()
            if line.strip() and not line.startswith(("#", "import ", "import\t")) and path.is_dir():
                found.append(path.resolve())
    return found
