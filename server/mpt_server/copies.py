"""Lines that came in one piece, and stand in another file of the project: somebody's paste of what was there before.

Files are only read, so many and so large at most; what an editor has open is known already (`authors`).
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from pathlib import Path

from mpt.provenance.edits import MOST_OF, key_of

MOST_FILES = 2_000
MOST_FOLDERS = 1_000
MOST_PIECES = 200
"""Remembered as looked for."""
MOST_BYTES = 20 << 20
"""Of all files together."""
_NOT_OURS = ("node_modules", "site-packages", "__pycache__", "venv", "build", "dist")


class Copies:
    """Looks once for each piece. For one thread."""

    def __init__(self) -> None:
        self._looked: dict[frozenset[str], bool] = {}

    def is_copied(self, keys: frozenset[str], path: Path, root: Path) -> bool:
        """Whether most of the lines (by `key_of`) stand in one other Python file below `root`."""
        if not keys:
            return False
        for piece, copied in self._looked.items():
            if len(keys & piece) >= MOST_OF * len(keys):
                return copied
        while len(self._looked) >= MOST_PIECES:
            del self._looked[next(iter(self._looked))]
        self._looked[keys] = any(_shared(keys, file) >= MOST_OF for file in _files(root, path))
        return self._looked[keys]


def _shared(keys: frozenset[str], file: Path) -> float:
    try:
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return 0.0
    return len(keys.intersection(map(key_of, lines))) / len(keys)


def _files(root: Path, but: Path) -> Iterator[Path]:
    left = MOST_BYTES
    for file in itertools.islice(_python_files(root), MOST_FILES):
        size = _size(file)
        left -= size
        if left < 0:
            return
        if size and file != but:
            yield file


def _size(file: Path) -> int:
    """0 for what is no regular file: a pipe would be waited for."""
    try:
        return file.stat().st_size if file.is_file() else 0
    except OSError:
        return 0


def _python_files(root: Path) -> Iterator[Path]:
    for folder, folders, names in itertools.islice(os.walk(root), MOST_FOLDERS):
        folders[:] = sorted(filter(_is_ours, folders))
        yield from (Path(folder) / name for name in sorted(names) if name.endswith(".py"))


def _is_ours(name: str) -> bool:
    return not name.startswith(".") and name not in _NOT_OURS
