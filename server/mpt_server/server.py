"""The language server. A handler translates, calls the session, answers; nothing is decided here."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from mpt import __version__
from mpt_server.client import Client
from mpt_server.commands import COMMANDS, Command
from mpt_server.convert import result_id
from mpt_server.engine import Engine
from mpt_server.positions import encoding_of
from mpt_server.protocol import Protocol
from mpt_server.roots import Roots
from mpt_server.session import Session

_NOTEBOOKS = types.NotebookDocumentSyncOptions(
    [types.NotebookDocumentFilterWithCells([types.NotebookCellLanguage("python")])], save=True
)


class Server(LanguageServer):
    """One client's server. initialized: the client has said initialize, so there is a session."""

    protocol: Protocol

    def __init__(self) -> None:
        super().__init__("mpt", __version__, protocol_cls=Protocol, notebook_document_sync=_NOTEBOOKS)
        self.initialized = asyncio.Event()
        self._session: Session | None = None

    @property
    def session(self) -> Session:
        """There from initialize on; the protocol lets nothing through to a handler before."""
        if self._session is None:
            raise RuntimeError("the client has not said initialize")
        return self._session

    def begin(self, session: Session) -> None:
        self._session = session
        self.initialized.set()

    async def close(self) -> None:
        """Ends everything that was started. Safe to call twice."""
        if self._session is not None:
            await self._session.close()


def create_server(engine: Engine) -> Server:
    """A server that checks with `engine`. It keeps all its state to itself: a process may hold two."""
    server = Server()
    server.feature(types.INITIALIZE)(_initialize(engine))
    for method, handler in _HANDLERS.items():
        server.feature(method)(handler)
    server.feature(types.TEXT_DOCUMENT_CODE_ACTION, _CODE_ACTIONS)(code_action)
    server.feature(types.WORKSPACE_DID_DELETE_FILES, _ANY_FILE)(did_delete)
    server.feature(types.WORKSPACE_DID_RENAME_FILES, _ANY_FILE)(did_rename)
    for name, command in COMMANDS.items():
        server.command(name)(_command(server, command))
    return server


_ANY_FILE = types.FileOperationRegistrationOptions([types.FileOperationFilter(types.FileOperationPattern("**/*"))])
_PULL = types.DiagnosticOptions(inter_file_dependencies=False, workspace_diagnostics=False, identifier="mpt")
_CODE_ACTIONS = types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix, types.CodeActionKind.Source])


def _initialize(engine: Engine) -> Callable[[Server, types.InitializeParams], None]:
    def initialize(ls: Server, params: types.InitializeParams) -> None:
        client, options = Client(ls), params.initialization_options
        roots = Roots(client, engine.base, options)
        for uri in _folders(params):
            roots.add(uri)
        trusted = options.get("trusted") if isinstance(options, dict) else None
        encoding = encoding_of(ls.workspace.position_encoding)
        if client.pulls_diagnostics:
            ls.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, _PULL)(diagnostic)
        ls.begin(Session(client, engine, roots, trusted if isinstance(trusted, bool) else None, encoding))

    return initialize


def _folders(params: types.InitializeParams) -> list[str]:
    if params.workspace_folders:
        return [folder.uri for folder in params.workspace_folders]
    return [params.root_uri] if params.root_uri else []


def _command(server: Server, command: Command) -> Callable[[tuple[Any, ...]], Any]:
    return lambda arguments: command(server.session, arguments)


# --- handlers -------------------------------------------------------------------------------------


def did_open(ls: Server, params: types.DidOpenTextDocumentParams) -> None:
    ls.session.opened(params.text_document)


def did_change(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
    ls.session.changed(params.text_document.uri, params.text_document.version, params.content_changes)


def change_reason(ls: Server, params: Any) -> None:
    """mpt/changeReason {uri, reason}: from an editor that knows why the document's next change comes."""
    uri, reason = (params.get(name) if isinstance(params, dict) else None for name in ("uri", "reason"))
    if isinstance(uri, str) and isinstance(reason, str):
        ls.session.reason_told(uri, reason)


def did_save(ls: Server, params: types.DidSaveTextDocumentParams) -> None:
    ls.session.saved(params.text_document.uri)


def did_close(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
    ls.session.closed(params.text_document.uri)


def did_open_notebook(ls: Server, params: types.DidOpenNotebookDocumentParams) -> None:
    ls.session.notebook_opened(params)


def did_change_notebook(ls: Server, params: types.DidChangeNotebookDocumentParams) -> None:
    if params.change.cells:
        ls.session.notebook_changed(params.notebook_document.uri, params.change.cells)


def did_save_notebook(ls: Server, params: types.DidSaveNotebookDocumentParams) -> None:
    ls.session.notebook_saved(params.notebook_document.uri)


def did_close_notebook(ls: Server, params: types.DidCloseNotebookDocumentParams) -> None:
    ls.session.notebook_closed(params.notebook_document.uri)


def did_delete(ls: Server, params: types.DeleteFilesParams) -> None:
    ls.session.gone(file.uri for file in params.files)


def did_rename(ls: Server, params: types.RenameFilesParams) -> None:
    ls.session.gone(file.old_uri for file in params.files)


def did_change_folders(ls: Server, params: types.DidChangeWorkspaceFoldersParams) -> None:
    ls.session.folders_changed((f.uri for f in params.event.added), (f.uri for f in params.event.removed))


def did_change_configuration(ls: Server, params: types.DidChangeConfigurationParams) -> None:
    ls.session.settings_changed(params.settings)


def cancel_progress(ls: Server, params: types.WorkDoneProgressCancelParams) -> None:
    ls.session.client.cancel_progress(params.token)


async def spent_today(ls: Server, params: Any) -> dict[str, int]:
    """mpt/spentToday: what was asked of language models on this machine since midnight (UTC), for a status line."""
    return asdict(await ls.session.spent_today())


async def shutdown(ls: Server, params: None) -> None:
    await ls.session.close()


def hover(ls: Server, params: types.HoverParams) -> types.Hover | None:
    view = ls.session.view(params.text_document.uri)
    return ls.session.showing.hover(view, view.document.position(params.position)) if view else None


def code_action(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
    view = ls.session.view(params.text_document.uri)
    if view is None:
        return []
    span = view.document.span(params.range)
    ls.session.attend(view, span.start)
    return ls.session.showing.actions(view, span, params.context)


async def diagnostic(ls: Server, params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
    view = ls.session.view(params.text_document.uri)
    if view and view.read is None:
        await ls.session.read(view)
    items = ls.session.showing.pulled(view) if view else []
    if result_id(items) == params.previous_result_id:
        return types.RelatedUnchangedDocumentDiagnosticReport(params.previous_result_id)
    return types.RelatedFullDocumentDiagnosticReport(items=items, result_id=result_id(items))


def code_lens(ls: Server, params: types.CodeLensParams) -> list[types.CodeLens]:
    view = ls.session.view(params.text_document.uri)
    return ls.session.showing.lenses(view) if view else []


def inlay_hint(ls: Server, params: types.InlayHintParams) -> list[types.InlayHint]:
    view = ls.session.view(params.text_document.uri)
    return ls.session.showing.inlay_hints(view, view.document.span(params.range)) if view else []


def text_document_content(ls: Server, params: types.TextDocumentContentParams) -> types.TextDocumentContentResult:
    return types.TextDocumentContentResult(ls.session.files.kept(params.uri))


_HANDLERS: dict[str, Callable[..., Any]] = {
    types.TEXT_DOCUMENT_DID_OPEN: did_open,
    types.TEXT_DOCUMENT_DID_CHANGE: did_change,
    types.TEXT_DOCUMENT_DID_SAVE: did_save,
    "mpt/changeReason": change_reason,
    types.TEXT_DOCUMENT_DID_CLOSE: did_close,
    types.NOTEBOOK_DOCUMENT_DID_OPEN: did_open_notebook,
    types.NOTEBOOK_DOCUMENT_DID_CHANGE: did_change_notebook,
    types.NOTEBOOK_DOCUMENT_DID_SAVE: did_save_notebook,
    types.NOTEBOOK_DOCUMENT_DID_CLOSE: did_close_notebook,
    types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: did_change_folders,
    types.WORKSPACE_DID_CHANGE_CONFIGURATION: did_change_configuration,
    types.WINDOW_WORK_DONE_PROGRESS_CANCEL: cancel_progress,
    "mpt/spentToday": spent_today,
    types.SHUTDOWN: shutdown,
    types.WORKSPACE_TEXT_DOCUMENT_CONTENT: text_document_content,
    types.TEXT_DOCUMENT_HOVER: hover,
    types.TEXT_DOCUMENT_CODE_LENS: code_lens,
    types.TEXT_DOCUMENT_INLAY_HINT: inlay_hint,
}
