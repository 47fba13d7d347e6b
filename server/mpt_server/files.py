"""Documents of ours that an editor opens: fetched from us where it can, else in a folder of their own."""

from __future__ import annotations

import re
from pathlib import Path

from mpt_server.documents import canonical
from mpt_server.protocol import SCHEME


class Files:
    """One session's; the folder is made when first needed, and gone with the session."""

    def __init__(self) -> None:
        self._folder: Path | None = None
        self._kept: dict[str, str] = {}

    def keep(self, name: str, text: str) -> str:
        """The URI under which a client fetches this text; the same name again replaces it."""
        uri = f"{SCHEME}:/{_clean(name)}"
        self._kept[canonical(uri)] = text
        return uri

    def kept(self, uri: str) -> str:
        """The text; empty where there is none of that name."""
        return self._kept.get(canonical(uri), "")

    def write(self, name: str, text: str) -> str:
        """The URI of a file with this text; the same name again replaces it."""
        if self._folder is None:
            import tempfile  # here, and shutil below: compression and random numbers are part of no start

            self._folder = Path(tempfile.mkdtemp(prefix="mpt-"))
        path = self._folder / _clean(name)
        path.write_text(text, encoding="utf-8", errors="backslashreplace")
        return path.as_uri()

    def close(self) -> None:
        if self._folder is not None:
            import shutil

            shutil.rmtree(self._folder, ignore_errors=True)


def _clean(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.-]", "_", name)[-80:]
