"""What is recorded in a folder of the person's choice: one readable file an entry, fit to be committed."""

from __future__ import annotations

import hashlib
import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mpt.adapters.file_lock import locked
from mpt.errors import StoreError

_PLAIN = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}")


class FolderStore:
    """`mpt.ports.Store` as `KIND/KEY.json`; nothing is made until something is put."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def get(self, kind: str, key: str) -> str | None:
        with self._explained():
            try:
                return self._file(kind, key).read_bytes().decode("utf-8")
            except FileNotFoundError:
                return None
            except UnicodeDecodeError:
                raise StoreError(f"{self._file(kind, key)} is not UTF-8: record it again") from None

    def put(self, kind: str, key: str, text: str) -> None:
        with self._explained():
            _replace(self._file(kind, key), text)

    def add(self, kind: str, key: str, amount: int, ceiling: int) -> bool:
        file = self._file(kind, key)
        with self._explained():
            file.parent.mkdir(parents=True, exist_ok=True)
            with locked(file.with_suffix(".lock")):
                total = int(self.get(kind, key) or 0) + amount
                if total > ceiling:
                    return False
                _replace(file, str(total))
                return True

    def close(self) -> None:
        """Nothing is held open."""

    def _file(self, kind: str, key: str) -> Path:
        """Keys that are no plain file name everywhere stand under their hash."""
        name = key if _PLAIN.fullmatch(key) else hashlib.sha256(key.encode()).hexdigest()
        return self.path / kind / f"{name}.json"

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise StoreError(f"{error.filename or self.path}: {error.strerror}: nothing was changed there") from None


def _replace(file: Path, text: str) -> None:
    """The whole new text or the whole old one, whatever happens in between."""
    file.parent.mkdir(parents=True, exist_ok=True)
    temporary = file.with_name(f".{file.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        temporary.write_bytes(text.encode("utf-8"))
        temporary.replace(file)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
