"""One client's session: its documents, and what happens when something happens to them.

Rule 1: what is shown is what is known of exactly the text the client has now. Reports hang on fingerprints of texts
        (`verdicts`), so a late one can appear only where its text still, or again, stands.
Rule 2: an edit elsewhere leaves a function's check alone; an edit of the function ends it (`checks`).
Rule 3: nothing runs and nothing is sent before the person agreed to it for that root (`consent`).
Rule 4: everything here happens on the event loop's thread; reading and checking have threads of their own.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import replace
from typing import Any

from lsprotocol import types

from mpt.adapters.budget import DaySpent, spent_on, utc_today
from mpt.values import Position
from mpt_server import views
from mpt_server.authors import Authors
from mpt_server.checks import Checks, Key
from mpt_server.client import Client
from mpt_server.consent import Consent
from mpt_server.documents import Document, canonical
from mpt_server.engine import Engine, LateStore
from mpt_server.files import Files
from mpt_server.git import has_records
from mpt_server.notebooks import Notebook, codes, module
from mpt_server.positions import Encoding
from mpt_server.reading import Reader
from mpt_server.roots import Roots
from mpt_server.showing import Showing
from mpt_server.verdicts import Reports
from mpt_server.views import Found, View

logger = logging.getLogger(__name__)

QUIET_S = 0.2
"""An edited text is read again when it has been left alone for so long."""


class Session:
    """Everything between a client and the engine. Made when the client says initialize."""

    def __init__(self, client: Client, engine: Engine, roots: Roots, trusted: bool | None, encoding: Encoding) -> None:
        self.client = client
        self.encoding = encoding
        self.store = LateStore(engine.open_store)
        self.consent = Consent(client, self.store, trusted)
        self.files = Files()
        self._roots = roots
        self._reports = Reports(self.store)
        self._authors = Authors(self.store)
        self._reader = Reader(client, roots, self.store, self._reports, self._authors, self.consent, engine.types)
        self.checks = Checks(client, engine, self._reports, self._settled, self._rank)
        self.showing = Showing(client, self.checks, encoding)
        self._views: dict[str, View] = {}
        self._notebooks: dict[str, Notebook] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._attention: tuple[str, Position] | None = None

    # --- what the client does ---------------------------------------------------------------------

    def opened(self, item: types.TextDocumentItem, notebook: Notebook | None = None, new: bool = False) -> None:
        """new: its text was not there before, so it arrives now, as an edit's does."""
        document = Document(item.uri, item.version, "", self.encoding, notebook.path if notebook else None)
        view = View(document, self._roots.root_of(document), notebook)
        self._views[view.uri] = view
        if new:
            self._authors.opened(view.uri, document)
        edit = document.apply(types.TextDocumentContentChangeWholeDocument(item.text))
        if new:
            self._authors.changed(view.uri, [edit], document)
        else:
            self._authors.opened(view.uri, document)
        self.spawn(self.read(view))

    def changed(self, uri: str, version: int, changes: Iterable[types.TextDocumentContentChangeEvent]) -> None:
        view = self.view(uri)
        if view is None:
            return
        edits = [view.document.apply(change) for change in changes]
        for edit in edits:
            view.found = views.after(view.found, edit)
            self.attend(view, edit.end)
        view.document.version = version
        self._authors.changed(view.uri, edits, view.document)
        self.showing.publish(view)
        for concerned in self._concerned(view):
            self._left_alone(concerned)

    def reason_told(self, uri: str, reason: str) -> None:
        """The editor says why the document's next change comes."""
        self._authors.told(canonical(uri), reason)

    def saved(self, uri: str) -> None:
        view = self.view(uri)
        if view is not None:
            self.spawn(self._check_unasked(view))

    def closed(self, uri: str) -> None:
        """Nothing of it is shown any more, and nothing of it runs."""
        view = self._views.pop(canonical(uri), None)
        if view is not None:
            for timer in (view.reading_soon, view.checking_soon):
                if timer:
                    timer.cancel()
            self._clear(view)

    def gone(self, uris: Iterable[str]) -> None:
        """Files or folders were deleted or have another name now: nothing is shown where they were."""
        places = [canonical(uri) for uri in uris]
        for view in self.views:
            if any(view.is_below(place) for place in places):
                self._clear(view)

    def settings_changed(self, told: object) -> None:
        """Everything open is read again under the new settings."""
        self._roots.settings_changed(told)
        self.client.forget_told()
        for view in self.views:
            self.spawn(self.read(view))

    def folders_changed(self, added: Iterable[str], removed: Iterable[str]) -> None:
        for uri in added:
            self._roots.add(uri)
        for uri in removed:
            self._roots.remove(uri)
        for view in self.views:
            view.root = self._roots.root_of(view.document)
            self.spawn(self.read(view))

    def notebook_opened(self, params: types.DidOpenNotebookDocumentParams) -> None:
        notebook = Notebook(params.notebook_document.uri, codes(params.notebook_document.cells))
        self._notebooks[canonical(notebook.uri)] = notebook
        for item in params.cell_text_documents:
            self.opened(item, notebook)

    def notebook_changed(self, uri: str, cells: types.NotebookDocumentCellChanges) -> None:
        """Cells that come, go or move, and edits in cells."""
        notebook = self._notebooks.get(canonical(uri))
        if notebook is None:
            return
        if cells.structure:
            notebook.splice(cells.structure.array)
            for item in cells.structure.did_open or ():
                self.opened(item, notebook, new=True)
            for closed in cells.structure.did_close or ():
                self.closed(closed.uri)
            for view in self._cells(notebook.cells):
                self._left_alone(view)
        for edited in cells.text_content or ():
            self.changed(edited.document.uri, edited.document.version, edited.changes)

    def notebook_saved(self, uri: str) -> None:
        for view in self.cells(uri):
            self.saved(view.document.uri)

    def notebook_closed(self, uri: str) -> None:
        for view in self.cells(uri):
            self.closed(view.document.uri)
        self._notebooks.pop(canonical(uri), None)

    def attend(self, view: View, position: Position) -> None:
        """The person is here: what is here goes first."""
        self._attention = (view.uri, position)

    async def close(self) -> None:
        """Ends everything that was started."""
        for task in tuple(self._tasks):
            task.cancel()
        await self.checks.close()
        self._reader.close()
        self.store.close()
        self.files.close()

    # --- documents --------------------------------------------------------------------------------

    @property
    def views(self) -> tuple[View, ...]:
        return tuple(self._views.values())

    def view(self, uri: str) -> View | None:
        return self._views.get(canonical(uri))

    def cells(self, uri: str) -> list[View]:
        """The open code cells of a notebook, the first on top."""
        notebook = self._notebooks.get(canonical(uri))
        return self._cells(notebook.cells) if notebook else []

    def _cells(self, uris: Iterable[str]) -> list[View]:
        return [self._views[uri] for uri in uris if uri in self._views]

    def _concerned(self, view: View) -> list[View]:
        """By an edit of the document: itself, and the cells below it."""
        below = self._cells(view.notebook.from_on(view.uri)) if view.notebook else []
        return below or [view]

    def _above(self, view: View) -> tuple[str, ...]:
        above = self._cells(view.notebook.above(view.uri)) if view.notebook else []
        return module(one.document.lines for one in above)

    async def read(self, view: View) -> None:
        """Brings `view.found` up to its text, once however many wait for it."""
        if view.reading is None or view.reading.done():
            view.reading = self.spawn(self._read(view))
        await asyncio.shield(view.reading)

    async def _read(self, view: View) -> None:
        await self._reader.read(view, self._above)
        if self._views.get(view.uri) is view:
            self.checks.keep_only(view.uri, view.found)
            self.showing.news(view)

    def _left_alone(self, view: View) -> None:
        """From now on: it is read again after a while, and checked where the person wants that."""
        view.reading_soon = self._after(QUIET_S, view.reading_soon, lambda: self.read(view))
        if view.effective and view.effective.server.check_on == "idle":
            idle_s = view.effective.server.idle_s
            view.checking_soon = self._after(idle_s, view.checking_soon, lambda: self._check_unasked(view))

    def _after(
        self, seconds: float, before: asyncio.TimerHandle | None, work: Callable[[], Coroutine[Any, Any, None]]
    ) -> asyncio.TimerHandle:
        """Does it in so many seconds, in the place of what was to be done `before`."""
        if before:
            before.cancel()
        return asyncio.get_running_loop().call_later(seconds, lambda: self.spawn(work()))

    def _clear(self, view: View) -> None:
        view.found = ()
        self.checks.keep_only(view.uri, ())
        self.showing.news(view)

    async def show(self, name: str, text: str) -> None:
        """Opens a text of ours in the editor; where it opens none, says where it is."""
        uri = self.keep(name, text) if self.client.reads_content else self.files.write(name, text)
        if not await self.client.show_document(uri):
            self.client.tell(f"mpt: see {uri}", types.MessageType.Info)

    def keep(self, name: str, text: str) -> str:
        """The URI under which a client that can fetches this text."""
        uri = self.files.keep(name, text)
        if self.client.reads_content:
            self.client.refresh_content(uri)
        return uri

    async def spent_today(self) -> DaySpent:
        """By every check on this machine. Raises StoreError."""
        return await asyncio.to_thread(spent_on, self.store, utc_today())

    # --- checking ---------------------------------------------------------------------------------

    async def _check_unasked(self, view: View) -> None:
        """What is wanted and not known. A yes lets git be asked, too, so there may be more or less afterwards."""
        await self.read(view)
        if view.effective is None or view.effective.server.check_on == "command":
            return
        if not self._unknown(view) and not await self._may_be_recorded(view):
            return
        if await self._consent_changes(view):
            await self.read(view)
        await self.check(view, self._unknown(view))

    def _unknown(self, view: View) -> list[Found]:
        return [one for one in view.found if one.wanted and one.report is None]

    async def _may_be_recorded(self, view: View) -> bool:
        """Git has records of assistants, and the person has not been asked whether to look."""
        if view.effective is None or view.effective.settings.select != "assistant" or not view.found:
            return False
        unasked = await self.consent.known(view.root, view.effective.settings) is None
        return unasked and await asyncio.to_thread(has_records, view.root)

    async def _consent_changes(self, view: View) -> bool:
        """Asks where nobody has; whether the answer was yes just now."""
        if view.effective is None:
            return False
        settings = view.effective.settings
        before = await self.consent.known(view.root, settings)
        return await self.consent.given(view.root, settings) and before is not True

    async def check(self, view: View, wanted: Sequence[Found]) -> None:
        """Checks functions of a document, if the person agrees and their text is still there then."""
        effective = view.effective
        if not wanted or effective is None or not await self.consent.given(view.root, effective.settings):
            return
        keys = {one.key for one in wanted}
        for one in view.found:
            if one.key in keys:
                self.checks.start(view.uri, one, effective)
        self.showing.news(view)

    def _settled(self, uri: str) -> None:
        view = self._views.get(uri)
        if view is not None:
            view.found = tuple(self._with_report(one) for one in view.found)
            self.showing.news(view)

    def _with_report(self, found: Found) -> Found:
        return replace(found, report=self._reports.recent(found.key, found.function) or found.report)

    def _rank(self, key: Key) -> int:
        """The function the person is at comes first, then the others of that document."""
        if self._attention is None or key[0] != self._attention[0]:
            return 2
        view = self._views.get(key[0])
        here = view.at(self._attention[1]) if view else None
        return 0 if here and here.identity == key[1:] else 1

    # --- tasks ------------------------------------------------------------------------------------

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
