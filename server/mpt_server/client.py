"""The client, as the session sees it: what can be said to it and asked of it, whatever it is able to do.

Everything here is called on the event loop's thread. Answers are awaited behind a shield: a cancelled task must not
cancel the request itself (pygls#621).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Any
from uuid import uuid4

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from mpt_server.convert import plain_message

logger = logging.getLogger(__name__)


class Client:
    """One editor. What it cannot do is left out in silence, or done in a simpler way where that is said."""

    def __init__(self, server: LanguageServer) -> None:
        self._server = server
        self._loop = asyncio.get_running_loop()
        self._told: set[str] = set()
        self._cancels: dict[types.ProgressToken, Callable[[], None]] = {}

    # --- what it can do ---------------------------------------------------------------------------

    @property
    def _can(self) -> types.ClientCapabilities:
        return self._server.client_capabilities

    @property
    def pulls_diagnostics(self) -> bool:
        """It asks for diagnostics, and asks again when told to; else they are pushed."""
        text, workspace = self._can.text_document, self._can.workspace
        refresh = workspace.diagnostics if workspace else None
        return bool(text and text.diagnostic and refresh and refresh.refresh_support)

    @property
    def shows_documents(self) -> bool:
        window = self._can.window
        return bool(window and window.show_document and window.show_document.support)

    @property
    def reads_markdown(self) -> bool:
        text = self._can.text_document
        formats = text.hover.content_format if text and text.hover else None
        return bool(formats and types.MarkupKind.Markdown in formats)

    @property
    def relates_diagnostics(self) -> bool:
        text = self._can.text_document
        return bool(text and text.publish_diagnostics and text.publish_diagnostics.related_information)

    @property
    def shows_progress(self) -> bool:
        return bool(self._can.window and self._can.window.work_done_progress)

    @property
    def gives_configuration(self) -> bool:
        return bool(self._can.workspace and self._can.workspace.configuration)

    @property
    def _edits(self) -> types.WorkspaceEditClientCapabilities:
        workspace = self._can.workspace
        return (workspace and workspace.workspace_edit) or types.WorkspaceEditClientCapabilities()

    @property
    def confirms_edits(self) -> bool:
        """It asks the person itself about an edit that says so."""
        return bool(self._edits.document_changes and self._edits.change_annotation_support)

    @property
    def reads_content(self) -> bool:
        """It fetches documents of ours from us."""
        return bool(self._can.workspace and self._can.workspace.text_document_content)

    # --- said -------------------------------------------------------------------------------------

    def publish(self, uri: str, version: int, diagnostics: Sequence[types.Diagnostic]) -> None:
        params = types.PublishDiagnosticsParams(uri=uri, version=version, diagnostics=diagnostics)
        self._server.text_document_publish_diagnostics(params)

    def tell(self, message: str, kind: types.MessageType = types.MessageType.Warning) -> None:
        self._server.window_show_message(types.ShowMessageParams(kind, plain_message(message)))

    def tell_once(self, message: str, kind: types.MessageType = types.MessageType.Warning) -> None:
        """Says it unless it was said before in this session."""
        if message not in self._told:
            self._told.add(message)
            self.tell(message, kind)

    def later(self, said: Callable[[], None]) -> None:
        """For other threads: says it on the event loop's."""
        self._loop.call_soon_threadsafe(said)

    def forget_told(self) -> None:
        """What was said once may be said again: the settings have changed."""
        self._told.clear()

    def refresh(self, diagnostics: bool) -> None:
        """What it asked for before has changed: it may ask again. diagnostics: these too, where it asks for them."""
        workspace = self._can.workspace
        if workspace is None:
            return
        if workspace.code_lens and workspace.code_lens.refresh_support:
            self._server.workspace_code_lens_refresh(None)
        if workspace.inlay_hint and workspace.inlay_hint.refresh_support:
            self._server.workspace_inlay_hint_refresh(None)
        if diagnostics and self.pulls_diagnostics:
            self._server.workspace_diagnostic_refresh(None)

    def refresh_content(self, uri: str) -> None:
        """A document of ours that it may have fetched before has changed."""
        self._server.workspace_text_document_content_refresh(types.TextDocumentContentRefreshParams(uri))

    # --- asked ------------------------------------------------------------------------------------

    async def request(self, method: str, params: Any) -> Any:
        """The client's answer; None where it answers with an error."""
        future = asyncio.ensure_future(self._server.protocol.send_request_async(method, params))
        try:
            return await asyncio.shield(future)
        except JsonRpcException as error:
            logger.info("%s: the client answers %s", method, error)
            return None

    async def ask(self, message: str, choices: Sequence[str]) -> str | None:
        """The person's choice; None where they made none."""
        items = [types.MessageActionItem(choice) for choice in choices]
        params = types.ShowMessageRequestParams(types.MessageType.Info, plain_message(message), items)
        answer = await self.request(types.WINDOW_SHOW_MESSAGE_REQUEST, params)
        return answer.title if answer else None

    async def configuration(self, scope: str | None) -> Any:
        """Section "mpt" for `scope` (a URI; None: everywhere), None where the client has none."""
        if not self.gives_configuration:
            return None
        params = types.ConfigurationParams([types.ConfigurationItem(scope_uri=scope, section="mpt")])
        answer = await self.request(types.WORKSPACE_CONFIGURATION, params)
        return answer[0] if answer else None

    async def show_document(self, uri: str) -> bool:
        """Opens a document in the editor; False where it cannot."""
        if not self.shows_documents:
            return False
        answer = await self.request(types.WINDOW_SHOW_DOCUMENT, types.ShowDocumentParams(uri=uri, take_focus=True))
        return bool(answer and answer.success)

    # --- edits ------------------------------------------------------------------------------------

    def text_edit(
        self, uri: str, version: int | None, edit: types.TextEdit, confirm: str | None = None
    ) -> types.WorkspaceEdit:
        """One edit of one version of a document. confirm: what the person is asked to confirm, where they can be."""
        if not self._edits.document_changes:
            return types.WorkspaceEdit(changes={uri: [edit]})
        document = types.OptionalVersionedTextDocumentIdentifier(uri=uri, version=version)
        if confirm is None or not self.confirms_edits:
            return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(document, [edit])])
        annotated = types.AnnotatedTextEdit(annotation_id="mpt", range=edit.range, new_text=edit.new_text)
        return types.WorkspaceEdit(
            document_changes=[types.TextDocumentEdit(document, [annotated])],
            change_annotations={"mpt": types.ChangeAnnotation(confirm, needs_confirmation=True)},
        )

    def new_file_edit(self, uri: str, edit: types.TextEdit) -> types.WorkspaceEdit:
        """An edit of a file that is made where it is missing, and where the client can."""
        operations = self._edits.resource_operations or ()
        if not self._edits.document_changes or types.ResourceOperationKind.Create not in operations:
            return types.WorkspaceEdit(changes={uri: [edit]})
        made = types.CreateFile(uri, options=types.CreateFileOptions(ignore_if_exists=True))
        document = types.OptionalVersionedTextDocumentIdentifier(uri=uri)
        return types.WorkspaceEdit(document_changes=[made, types.TextDocumentEdit(document, [edit])])

    async def apply(self, label: str, edit: types.WorkspaceEdit) -> bool:
        """Whether the client made the edit; what it says against it is shown."""
        if not (self._can.workspace and self._can.workspace.apply_edit):
            self.tell("mpt: this editor lets no server edit a document")
            return False
        answer = await self.request(types.WORKSPACE_APPLY_EDIT, types.ApplyWorkspaceEditParams(edit, label))
        if answer is None or not answer.applied:
            reason = f": {answer.failure_reason}" if answer and answer.failure_reason else ""
            self.tell(f"mpt: the editor did not make the edit{reason}")
        return bool(answer and answer.applied)

    # --- progress ---------------------------------------------------------------------------------

    async def open_progress(self, title: str, cancel: Callable[[], None]) -> types.ProgressToken | None:
        """A progress bar, whose cancel button calls `cancel`; None where the client shows none."""
        if not self.shows_progress:
            return None
        token = str(uuid4())
        await self.request(types.WINDOW_WORK_DONE_PROGRESS_CREATE, types.WorkDoneProgressCreateParams(token))
        self._cancels[token] = cancel
        self._progress(token, types.WorkDoneProgressBegin(title=title, cancellable=True))
        return token

    def report_progress(self, token: types.ProgressToken, message: str) -> None:
        self._progress(token, types.WorkDoneProgressReport(message=message))

    def close_progress(self, token: types.ProgressToken, message: str) -> None:
        self._cancels.pop(token, None)
        self._progress(token, types.WorkDoneProgressEnd(message=message))

    def cancel_progress(self, token: types.ProgressToken) -> None:
        """The person pressed the button; pressing it late does nothing."""
        cancel = self._cancels.pop(token, None)
        if cancel:
            cancel()

    def _progress(self, token: types.ProgressToken, value: Any) -> None:
        self._server.progress(types.ProgressParams(token=token, value=value))
