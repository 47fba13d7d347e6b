"""One client's session: its documents, what is known of their functions, and what is shown of it.

Rule 1: what is shown is what is known of exactly the text the client has now. Reports hang on fingerprints of texts
        (`verdicts`), so a late one can appear only where its text still, or again, stands.
Rule 2: an edit elsewhere leaves a function's check alone; an edit of the function ends it (`checks`).
Rule 3: nothing runs and nothing is sent before the person agreed to it for that root (`consent`).
Rule 4: everything here happens on the event loop's thread; parsing and checking have threads of their own.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from lsprotocol import types

from mpt.values import Position, Span
from mpt_server import convert, lenses, views
from mpt_server.checks import Checks, Key
from mpt_server.client import Client
from mpt_server.consent import Consent
from mpt_server.documents import Document, canonical
from mpt_server.engine import Engine, LateStore
from mpt_server.files import Files
from mpt_server.positions import Encoding, range_to_client
from mpt_server.roots import Roots
from mpt_server.settings import Effective
from mpt_server.verdicts import Reports
from mpt_server.views import Found

logger = logging.getLogger(__name__)

QUIET_S = 0.2
"""An edited text is read again when it has been left alone for so long."""

LARGEST = 1_000_000
"""Characters of a document that is still read; a longer one would keep the server busy with it."""


@dataclass(eq=False)
class View:
    """An open document and what is shown of it.

    read: the version of the text that `found` was last read from; None before the first time.
    """

    document: Document
    root: Path
    effective: Effective | None = None
    found: tuple[Found, ...] = ()
    read: int | None = None
    published: Sequence[types.Diagnostic] = field(default_factory=list)
    reading: asyncio.Task[None] | None = None
    timer: asyncio.TimerHandle | None = None

    @property
    def uri(self) -> str:
        return canonical(self.document.uri)


class Session:
    """Everything between a client and the engine. Made when the client says initialize."""

    def __init__(self, client: Client, engine: Engine, roots: Roots, trusted: bool | None, encoding: Encoding) -> None:
        self.client = client
        self.roots = roots
        self.encoding = encoding
        self._store = LateStore(engine.open_store)
        self._reports = Reports(self._store)
        self.consent = Consent(client, self._store, trusted)
        self.checks = Checks(client, engine, self._reports, self._settled, self._rank)
        self._parser = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mpt-parse")
        self._views: dict[str, View] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._attention: tuple[str, Position] | None = None
        self.files = Files()

    # --- what the client does ---------------------------------------------------------------------

    def opened(self, item: types.TextDocumentItem) -> None:
        document = Document(item.uri, item.version, item.text, self.encoding)
        view = View(document, self.roots.root_of(document))
        self._views[view.uri] = view
        self.spawn(self.read(view))

    def changed(self, uri: str, version: int, changes: Iterable[types.TextDocumentContentChangeEvent]) -> None:
        view = self.view(uri)
        if view is None:
            return
        for change in changes:
            edit = view.document.apply(change)
            view.found = views.after(view.found, edit)
            self.attend(view, edit.end)
        view.document.version = version
        self._publish(view)
        self._read_soon(view)

    def saved(self, uri: str) -> None:
        view = self.view(uri)
        if view is not None:
            self.spawn(self._check_saved(view))

    def closed(self, uri: str) -> None:
        """Nothing of it is shown any more, and nothing of it runs."""
        view = self._views.pop(canonical(uri), None)
        if view is None:
            return
        if view.timer:
            view.timer.cancel()
        view.found = ()
        self.checks.keep_only(view.uri, ())
        self._publish(view)

    def gone(self, uris: Iterable[str]) -> None:
        """Files or folders were deleted or have another name now: nothing is shown where they were."""
        places = [canonical(uri) for uri in uris]
        for view in self.views:
            if any(view.uri == place or view.uri.startswith(place + "/") for place in places):
                view.found = ()
                self.checks.keep_only(view.uri, ())
                self._show(view)

    def settings_changed(self, options: object) -> None:
        """Everything open is read again under the new settings, which are asked for where the client tells none."""
        self.roots.forget_settings(options)
        self.client.forget_told()
        for view in self.views:
            self.spawn(self.read(view))

    def folders_changed(self, added: Iterable[str], removed: Iterable[str]) -> None:
        for uri in added:
            self.roots.add(uri)
        for uri in removed:
            self.roots.remove(uri)
        for view in self.views:
            view.root = self.roots.root_of(view.document)
            self.spawn(self.read(view))

    def attend(self, view: View, position: Position) -> None:
        """The person is here: what is here goes first."""
        self._attention = (view.uri, position)

    async def close(self) -> None:
        """Ends everything that was started."""
        for task in tuple(self._tasks):
            task.cancel()
        await self.checks.close()
        self._parser.shutdown(wait=False, cancel_futures=True)
        self._store.close()
        self.files.close()

    # --- what is known ----------------------------------------------------------------------------

    @property
    def views(self) -> tuple[View, ...]:
        return tuple(self._views.values())

    def view(self, uri: str) -> View | None:
        return self._views.get(canonical(uri))

    async def read(self, view: View) -> None:
        """Brings `view.found` up to its text, once however many wait for it."""
        if view.reading is None or view.reading.done():
            view.reading = self.spawn(self._read(view))
        await asyncio.shield(view.reading)

    async def _read(self, view: View) -> None:
        document = view.document
        while self._views.get(view.uri) is view:
            version = document.version
            effective = await self.roots.effective(view.root, document)
            found = await self._analysed(document, effective)
            if version == document.version:
                view.effective, view.found, view.read = effective, found, version
                break
        self.checks.keep_only(view.uri, view.found)
        self._show(view)

    async def _analysed(self, document: Document, effective: Effective) -> tuple[Found, ...]:
        path, text = views.path_text(document.path, document.uri), document.text
        if len(text) > LARGEST:
            self.client.tell_once(f"mpt: {path} is larger than {LARGEST:,} characters and is left alone")
            return ()
        work = partial(views.analyse, text, path, effective.settings, self._reports)
        return await asyncio.get_running_loop().run_in_executor(self._parser, work)

    def _read_soon(self, view: View) -> None:
        if view.timer:
            view.timer.cancel()
        loop = asyncio.get_running_loop()
        view.timer = loop.call_later(QUIET_S, lambda: self.spawn(self.read(view)))

    # --- checking ---------------------------------------------------------------------------------

    async def _check_saved(self, view: View) -> None:
        await self.read(view)
        if view.effective and view.effective.server.check_on == "save":
            await self.check(view, [one for one in view.found if self._wanted(view, one) and one.report is None])

    async def check(self, view: View, wanted: Sequence[Found]) -> None:
        """Checks functions of a document, if the person agrees and their text is still there then."""
        effective = view.effective
        if not wanted or effective is None or not await self.consent.given(view.root, effective.settings):
            return
        keys = {one.key for one in wanted}
        for one in view.found:
            if one.key in keys:
                self.checks.start(view.uri, one, effective)
        self.client.refresh(diagnostics=False)

    def _wanted(self, view: View, found: Found) -> bool:
        select = view.effective.settings.select if view.effective else "off"
        return select != "off" and found.function.obstacle is None

    def _settled(self, uri: str) -> None:
        view = self._views.get(uri)
        if view is None:
            return
        view.found = tuple(
            replace(one, report=self._reports.recent(one.key, one.function) or one.report) for one in view.found
        )
        self._show(view)

    def _rank(self, key: Key) -> int:
        """The function the person is at comes first, then the others of that document."""
        if self._attention is None or key[0] != self._attention[0]:
            return 2
        view = self._views.get(key[0])
        here = view and function_at(view, self._attention[1])
        return 0 if here and here.identity == key[1:] else 1

    # --- showing ----------------------------------------------------------------------------------

    def _show(self, view: View) -> None:
        """Something may be known that was not."""
        changed = self._publish(view)
        self.client.refresh(diagnostics=changed)

    def _publish(self, view: View) -> bool:
        """Whether its diagnostics are others than before; a client that does not ask for them is sent them."""
        diagnostics = self.diagnostics(view)
        if diagnostics == view.published:
            return False
        view.published = diagnostics
        if not self.client.pulls_diagnostics:
            self.client.publish(view.document.uri, view.document.version, diagnostics)
        return True

    async def pulled(self, view: View) -> list[types.Diagnostic]:
        """For a client that asks: what is known now, as soon as the text was read once."""
        if view.read is None:
            await self.read(view)
        view.published = self.diagnostics(view)
        return list(view.published)

    def lenses(self, view: View) -> list[types.CodeLens]:
        if view.effective is None or not view.effective.server.code_lens:
            return []
        running = frozenset(one.key for one in view.found if self.checks.running(view.uri, one))
        document = view.document
        return lenses.lenses(document.uri, view.found, running, document.lines, self.encoding)

    def inlay_hints(self, view: View, lines: Span) -> list[types.InlayHint]:
        if view.effective is None or not view.effective.server.inlay_hints:
            return []
        first, last = lines.start.line, lines.end.line
        return lenses.inlay_hints(view.found, first, last, view.document.lines, self.encoding)

    def hover(self, view: View, position: Position) -> types.Hover | None:
        """On a function's name."""
        for one in view.found:
            span = one.function.name_span
            if one.report and span.start <= position <= span.end:
                content = convert.hover(one.report, self.client.reads_markdown)
                return types.Hover(content, range_to_client(view.document.lines, span, self.encoding))
        return None

    def diagnostics(self, view: View) -> list[types.Diagnostic]:
        related = view.document.uri if self.client.relates_diagnostics else None
        found = (
            convert.diagnostic(one.function, one.report, view.document.lines, self.encoding, related)
            for one in view.found
            if one.report
        )
        return [diagnostic for diagnostic in found if diagnostic]

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """A task that is not forgotten, and whose failure is said."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            logger.error("a task failed", exc_info=error)
            self.client.tell_once(f"mpt: {error}", types.MessageType.Error)


def function_at(view: View, position: Position) -> Found | None:
    """The innermost function around a place."""
    around = [one for one in view.found if one.function.span.start <= position <= one.function.span.end]
    return max(around, key=lambda one: one.function.span.start, default=None)
