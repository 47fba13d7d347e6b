"""Which Python runs a document's code: the one its project runs on. Nothing is started to find out.

the setting `python` · .venv, venv, .conda in the document's folder or above it, up to the root · poetry's own
folder of environments · VIRTUAL_ENV, CONDA_PREFIX · python3 on PATH, where it is no shim · the Python mpt runs on
(empty)
"""

from __future__ import annotations

import base64
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

_IN_PROJECT = (".venv", "venv", ".conda")
_EXECUTABLES = ("bin/python", "Scripts/python.exe", "python.exe")


def interpreter_of(folder: Path, root: Path, environment: Mapping[str, str] = os.environ) -> str:
    """The path of the interpreter for code in `folder`, below `root`; empty where there is none."""
    for candidate in _candidates(folder, root, environment):
        for name in _EXECUTABLES:
            if (candidate / name).is_file():
                return str(candidate / name)
    import shutil  # here, and hashlib below: they are part of no start

    found = shutil.which("python3", path=environment.get("PATH"))
    return found if found and not _is_script(Path(found)) else ""


def _is_script(path: Path) -> bool:
    """pyenv's and asdf's shims start an interpreter that only they know; nothing is started to find out."""
    try:
        with path.open("rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return True


def _candidates(folder: Path, root: Path, environment: Mapping[str, str]) -> Iterator[Path]:
    names = [environment.get("UV_PROJECT_ENVIRONMENT", ""), *_IN_PROJECT]
    above = [folder, *folder.parents]
    for place in above[: above.index(root) + 1] if root in above else [folder]:
        yield from (place / name for name in names if name)
        yield from _of_poetry(place, environment)
    yield from (Path(environment[name]) for name in ("VIRTUAL_ENV", "CONDA_PREFIX") if environment.get(name))


def _of_poetry(project: Path, environment: Mapping[str, str]) -> Iterator[Path]:
    """Poetry names an environment after the project and a hash of its folder."""
    try:
        table = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))
        name = table["tool"]["poetry"].get("name") or table["project"]["name"]
    except (OSError, ValueError, KeyError, AttributeError):
        return
    import hashlib

    digest = hashlib.sha256(os.path.normcase(os.path.realpath(project)).encode()).digest()
    mark = base64.urlsafe_b64encode(digest).decode()[:8]
    clean = re.sub(r'[ $`!*@"\\\r\n\t]', "_", str(name).lower())[:42]
    cache = environment.get("POETRY_CACHE_DIR") or Path(environment.get("HOME", "~")) / ".cache" / "pypoetry"
    yield from sorted((Path(cache) / "virtualenvs").glob(f"{clean}-{mark}-py*"), reverse=True)
