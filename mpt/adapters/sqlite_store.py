"""What is kept in the user's cache folder: one SQLite file, safe for several threads and processes at once."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mpt.errors import StoreError

_SCHEMA = 1
"""The file's user_version. A later schema adds its step to `_prepare`."""

_BUSY_S = 15.0
"""How long to wait for another process that is writing."""

_TABLE = "CREATE TABLE IF NOT EXISTS kept (kind TEXT, key TEXT, text TEXT, PRIMARY KEY (kind, key)) WITHOUT ROWID"

_ADD = """
INSERT INTO kept (kind, key, text) SELECT :kind, :key, :amount WHERE :amount <= :ceiling
ON CONFLICT (kind, key) DO UPDATE SET text = CAST(text AS INTEGER) + :amount
WHERE CAST(text AS INTEGER) + :amount <= :ceiling
"""

_ADVICE = {
    sqlite3.SQLITE_FULL: "the disk is full: make room, or point XDG_CACHE_HOME at another disk",
    sqlite3.SQLITE_NOTADB: "the file is damaged: delete it; only what can be asked for again is lost",
    sqlite3.SQLITE_CORRUPT: "the file is damaged: delete it; only what can be asked for again is lost",
    sqlite3.SQLITE_BUSY: f"another process has kept it busy for {_BUSY_S:.0f} s: try again",
    sqlite3.SQLITE_READONLY: "it may not be written: mend its permissions",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened: mend its folder's permissions",
}


class SqliteStore:
    """`mpt.ports.Store` in one file; the file and its folder, for the person alone, are made when missing."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        with self._explained():
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._connection = sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None, check_same_thread=False)
            try:
                self._prepare()
            except BaseException:
                self._connection.close()
                raise

    def _prepare(self) -> None:
        version = self._connection.execute("PRAGMA user_version").fetchone()[0]
        if version > _SCHEMA:
            raise StoreError(f"{self.path}: written by a newer mpt (schema {version}): update mpt, or delete the file")
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = NORMAL")
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.execute(_TABLE)
        self._connection.execute(f"PRAGMA user_version = {_SCHEMA}")
        self._connection.execute("COMMIT")

    def get(self, kind: str, key: str) -> str | None:
        rows = self._execute("SELECT text FROM kept WHERE kind = ? AND key = ?", (kind, key))[1]
        return None if not rows else str(rows[0][0])

    def put(self, kind: str, key: str, text: str) -> None:
        self._execute("INSERT OR REPLACE INTO kept (kind, key, text) VALUES (?, ?, ?)", (kind, key, text))

    def add(self, kind: str, key: str, amount: int, ceiling: int) -> bool:
        changed, _ = self._execute(_ADD, {"kind": kind, "key": key, "amount": amount, "ceiling": ceiling})
        return changed > 0

    def counts(self) -> dict[str, int]:
        """How many entries of each kind."""
        return dict(self._execute("SELECT kind, count(*) FROM kept GROUP BY kind ORDER BY kind", ())[1])

    def size_bytes(self) -> int:
        """What it takes on the disk."""
        files = (self.path.with_name(self.path.name + suffix) for suffix in ("", "-wal"))
        return sum(file.stat().st_size for file in files if file.exists())

    def clear(self, kind: str | None = None) -> int:
        """Forgets all entries of a kind and gives the disk back; how many.

        None: of every kind but "spent", so that clearing the cache does not lift the day's limit.
        """
        where = "kind <> 'spent'" if kind is None else "kind = :kind"
        changed, _ = self._execute(f"DELETE FROM kept WHERE {where}", {"kind": kind})
        self._execute("VACUUM", ())
        self._execute("PRAGMA wal_checkpoint(TRUNCATE)", ())
        return changed

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def _execute(self, statement: str, values: Sequence[Any] | dict[str, Any]) -> tuple[int, list[Any]]:
        """(rows changed, rows found), in one transaction of its own."""
        with self._lock, self._explained():
            cursor = self._connection.execute(statement, values)
            return cursor.rowcount, cursor.fetchall()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            raise StoreError(f"{self.path}: {_ADVICE.get(code, str(error))}") from None
        except OSError as error:
            raise StoreError(f"{self.path}: {error.strerror}: mend its folder's permissions") from None
