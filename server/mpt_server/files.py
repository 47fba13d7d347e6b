"""Documents of ours that an editor opens: in a folder of their own, gone with the session."""

from __future__ import annotations

import re
import shutil
import tempfile
from pathlib import Path


class Files:
    """A temporary folder, made when first needed."""

    def __init__(self) -> None:
        self._folder: Path | None = None

    def write(self, name: str, text: str, suffix: str = ".md") -> str:
        """The URI of a file with this text; the same name again replaces it."""
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="mpt-"))
        path = self._folder / (re.sub(r"[^\w.-]", "_", name)[:80] + suffix)
        path.write_text(text, encoding="utf-8", errors="backslashreplace")
        return path.as_uri()

    def close(self) -> None:
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
