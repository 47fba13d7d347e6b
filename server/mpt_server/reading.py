"""A document's text → its functions, with all that is known of each: report, author, whether to check it.

Parsing, the store and git have a thread of their own; the edits are looked at on the event loop, where they come in.
"""

from __future__ import annotations

import asyncio
import fnmatch
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from mpt.errors import StoreError
from mpt.ports import Store
from mpt.provenance import by_records, judge, selected
from mpt.provenance.edits import How, key_of
from mpt.provenance.markers import Marks, marks
from mpt.values import Function, Provenance
from mpt_server.authors import Authors
from mpt_server.client import Client
from mpt_server.consent import Consent
from mpt_server.copies import Copies
from mpt_server.git import Git
from mpt_server.roots import Roots
from mpt_server.settings import Effective
from mpt_server.verdicts import Reports, fingerprint, is_accepted
from mpt_server.views import Found, View, of

LARGEST = 1_000_000
"""Characters of a document that is still read; a longer one would keep the server busy with it."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What the thread is told. first: it was not read before.

    path: None where the document is no file. place: the file that its settings go by. above: the lines of the cells
    above it.

    git: git may be asked. origin: it is also asked which lines it knows. pieces: the rows and keys of lines that may
    have been pasted from another file.
    """

    lines: tuple[str, ...]
    above: tuple[str, ...]
    uri: str
    path: Path | None
    place: Path | None
    root: Path
    effective: Effective
    first: bool
    git: bool
    origin: bool
    pieces: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class Draft:
    """A function before its edits are looked at.

    how: what an earlier session knew of its lines. copied: they stand in another file.
    """

    found: Found
    marks: Marks
    records: Provenance
    how: list[How] | None
    copied: bool


@dataclass(frozen=True, slots=True)
class Drafts:
    """in_git: the keys of the lines git knows, where it was asked."""

    functions: tuple[Draft, ...] = ()
    in_git: frozenset[str] | None = None


class Reader:
    """Reads the documents of one client."""

    def __init__(
        self,
        client: Client,
        roots: Roots,
        store: Store,
        reports: Reports,
        authors: Authors,
        consent: Consent,
        types: Callable[[], str],
    ) -> None:
        self._types = types
        self._client = client
        self._roots = roots
        self._store = store
        self._reports = reports
        self._authors = authors
        self._consent = consent
        self._git = Git()
        self._copies = Copies()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mpt-read")

    async def read(self, view: View, above: Callable[[View], tuple[str, ...]]) -> None:
        """Brings `view.found` up to its text, however often that changes meanwhile. above: what stands above it."""
        while True:
            version = view.document.version
            effective = await self._roots.effective(view.root, view.document)
            drafts = await self._drafts(view, effective, above(view))
            if version == view.document.version:
                view.effective, view.found, view.read = effective, self._finished(view, effective, drafts), version
                return

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _drafts(self, view: View, effective: Effective, above: tuple[str, ...]) -> Drafts:
        document = view.document
        if sum(map(len, document.lines)) + sum(map(len, above)) > LARGEST:
            self._client.tell_once(f"mpt: {document.uri} is larger than {LARGEST:,} characters and is left alone")
            return Drafts()
        asked = Asked(
            lines=tuple(document.lines),
            above=above,
            uri=document.uri,
            path=document.path,
            place=document.place,
            root=view.root,
            effective=effective,
            first=view.read is None,
            git=document.path is not None and await self._consent.known(view.root, effective.settings) is True,
            origin=self._authors.unsettled(view.uri),
            pieces=self._authors.pieces(view.uri),
        )
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._draft, asked)

    # --- in the thread ----------------------------------------------------------------------------

    def _draft(self, asked: Asked) -> Drafts:
        from mpt.locating import module_of
        from mpt.notebooks import moved_up
        from mpt.source import find_functions  # here, so that initialize is answered before a parser is loaded

        module = module_of(asked.path) if asked.path else None
        text = "".join(asked.above + asked.lines)
        whole = find_functions(text, str(asked.path or asked.uri), module)
        functions = [moved_up(function, len(asked.above)) for function in whole if is_in(function, len(asked.above))]
        assistants = self._git.assistants(asked.path) if asked.git and asked.path else {}
        in_git = self._git.known_lines(asked.path) if asked.git and asked.path and asked.origin else None
        return Drafts(tuple(self._one(asked, function, assistants) for function in functions), in_git)

    def _one(self, asked: Asked, function: Function, assistants: Mapping[str, str]) -> Draft:
        settings = asked.effective.settings
        said = marks(asked.lines, function, asked.effective.server.generated_by)
        key = fingerprint(function, settings, self._types())
        report = self._reports.get(key, function)
        found = Found(
            function,
            key,
            report,
            hidden=said.ignore or settings.select == "off" or is_ignored(asked.place, asked.root, settings.ignore),
            accepted=report is not None and is_accepted(self._store, function),
        )
        records = by_records([assistants.get(key_of(line)) for line in function.source.split("\n")])
        how = self._authors.recall(function) if asked.first else None
        return Draft(found, said, records, how, self._is_copied(asked, function))

    def _is_copied(self, asked: Asked, function: Function) -> bool:
        rows = range(function.span.start.line, function.span.end.line + 1)
        keys = frozenset(key for row, key in asked.pieces.items() if row in rows)
        return asked.place is not None and self._copies.is_copied(keys, asked.place, asked.root)

    def _remember(self, functions: list[tuple[Function, list[How]]]) -> None:
        try:
            self._authors.remember(functions)
        except StoreError as error:
            message = f"mpt: {error}"
            self._client.later(lambda: self._client.tell_once(message))

    # --- on the event loop ------------------------------------------------------------------------

    def _finished(self, view: View, effective: Effective, drafts: Drafts) -> tuple[Found, ...]:
        if drafts.in_git is not None:
            self._authors.settle(view.uri, drafts.in_git)
        made, assistants = [], []
        for draft in drafts.functions:
            found, edited = self._judged(view, effective, draft)
            made.append(found)
            if edited:
                assistants.append((found.function, self._authors.lines_of(view.uri, found.function)))
        if assistants:
            self._thread.submit(self._remember, assistants)
        return tuple(made)

    def _judged(self, view: View, effective: Effective, draft: Draft) -> tuple[Found, bool]:
        """The function with its provenance, and whether its edits say that an assistant wrote it."""
        function = draft.found.function
        if draft.how:
            self._authors.mark(view.uri, function, draft.how)
        if draft.copied:
            self._authors.copied(view.uri, function)
        edits = self._authors.author(view.uri, function)
        provenance = judge(draft.marks, edits, draft.records)
        able = function.obstacle is None and not draft.found.hidden
        wanted = able and selected(effective.settings.select, draft.marks, provenance)
        found = of(replace(draft.found, wanted=wanted), replace(function, provenance=provenance))
        return found, edits.author == "assistant"


def is_in(function: Function, above: int) -> bool:
    """Whether it stands below so many lines."""
    return function.span.start.line >= above


def is_ignored(path: Path | None, root: Path, patterns: tuple[str, ...]) -> bool:
    """Whether the setting `ignore` names the file, by its path below the root."""
    if path is None or not path.is_relative_to(root):
        return False
    return any(fnmatch.fnmatch(path.relative_to(root).as_posix(), pattern) for pattern in patterns)
