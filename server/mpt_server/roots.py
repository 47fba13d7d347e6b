"""The workspace's folders, and what is set for each."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from mpt.settings import Decoded
from mpt_server.client import Client
from mpt_server.documents import Document, path_of
from mpt_server.interpreters import interpreter_of
from mpt_server.settings import Effective, effective, section_of

NO_FOLDER = Path("unsaved documents")
"""The root of a document that is no file, in a workspace without a folder."""


class Roots:
    """Folders and settings of one client. The editor is asked once a root, and again when settings changed."""

    def __init__(self, client: Client, base: Callable[[], Decoded], options: object) -> None:
        self._client = client
        self._base = base
        self._options = options
        self._told: object = None
        self._folders: dict[Path, str] = {}
        self._sections: dict[Path, asyncio.Task[object]] = {}

    def add(self, uri: str) -> None:
        path = path_of(uri)
        if path is not None:
            self._folders[path] = uri

    def remove(self, uri: str) -> None:
        path = path_of(uri)
        if path is not None:
            self._folders.pop(path, None)
            self._sections.pop(path, None)

    def root_of(self, document: Document) -> Path:
        """The innermost folder that holds it; the file's own folder where none does."""
        path = document.place
        if path is None:
            return next(iter(self._folders), NO_FOLDER)
        holding = [folder for folder in self._folders if path.is_relative_to(folder)]
        return max(holding, key=lambda folder: len(folder.parts), default=path.parent)

    def settings_changed(self, told: object) -> None:
        """The editor's settings are others now: `told`, for an editor that is not asked for them."""
        self._told = section_of(told)
        self._sections.clear()

    async def effective(self, root: Path, document: Document) -> Effective:
        """What holds for the document now."""
        if root not in self._sections:
            asked = self._client.configuration(self._folders.get(root))
            self._sections[root] = asyncio.ensure_future(asked)
        section = await asyncio.shield(self._sections[root])
        section = section if self._client.gives_configuration else self._told
        found = await asyncio.to_thread(self._decode, section, document.place, root)
        for warning in found.warnings:
            self._client.tell_once(warning)
        return found

    def _decode(self, section: object, path: Path | None, root: Path) -> Effective:
        base = self._base()
        found = effective(base.settings, self._options, section, path)
        python = found.settings.python or interpreter_of(path.parent if path else root, root)
        settings = replace(found.settings, python=python)
        return replace(found, settings=settings, warnings=(*base.warnings, *found.warnings))
