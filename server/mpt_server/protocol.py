"""pygls' protocol, mended where it would lose a message, answer nobody, or work on after a cancel.

Rule 1: every request is answered: with its result, or with an error that says why.
Rule 2: cancelling a request cancels what serves it.
Rule 3: an answer that comes for something no longer awaited is dropped (pygls#621).
Rule 4: documents are ours (`documents.Documents`); pygls' own workspace would cut lines at form feeds.
"""

from __future__ import annotations

import inspect
import logging
import threading
from collections.abc import Callable
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.protocol import LanguageServerProtocol
from pygls.protocol.language_server import lsp_method

logger = logging.getLogger(__name__)

SCHEME = "mpt"
"""Of the documents that a client fetches from us."""

INVALID_REQUEST = -32600
SERVER_NOT_INITIALIZED = -32002


class Refused(JsonRpcException):
    """A request that cannot be served now; `message` says why and what to do."""

    CODE = INVALID_REQUEST
    MESSAGE = "Invalid Request"


class Protocol(LanguageServerProtocol):
    """One client's conversation."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._initialized = False
        self.stop_reading = threading.Event()
        self.exit_code = 1

    # --- messages in ------------------------------------------------------------------------------

    def structure_message(self, data: dict[str, Any]) -> Any:
        """A message whose parameters are of the wrong kind is answered at once, and becomes None."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "id" not in data or "method" not in data:
                logger.warning("ignored a malformed %s", data.get("method", "response"))
                return None
            wrong = JsonRpcInvalidParams(f"parameters of the wrong kind for {data['method']}")
            self._send_response(data["id"], error=wrong.to_response_error())
            logger.info("malformed request: %s", error)
            return None

    def handle_message(self, message: Any) -> None:
        """Lets through what the state of the conversation allows."""
        if not hasattr(message, "jsonrpc"):
            return
        method = getattr(message, "method", None)
        refusal = self._refusal(method) if method else None
        if refusal is None:
            super().handle_message(message)
        elif hasattr(message, "id"):
            self._send_response(message.id, error=refusal.to_response_error())

    def _refusal(self, method: str) -> Refused | None:
        if method == types.EXIT:
            return None
        if self._shutdown:
            return Refused("the server has been shut down")
        if method == types.INITIALIZE:
            return Refused("the server is initialized already") if self._initialized else None
        if not self._initialized:
            return Refused("send initialize first", code=SERVER_NOT_INITIALIZED)
        return None

    def _handle_response(self, msg_id: Any, result: Any = None, error: Any = None) -> None:
        future = self._request_futures.get(msg_id)
        if future is not None and future.done():
            del self._request_futures[msg_id]
            return
        super()._handle_response(msg_id, result, error)

    # --- life and death ---------------------------------------------------------------------------

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Any:
        self._initialized = True
        result = yield from super().lsp_initialize(params)
        workspace = params.capabilities.workspace
        if workspace and workspace.text_document_content and result.capabilities.workspace:
            schemes = types.TextDocumentContentOptions(schemes=[SCHEME])
            result.capabilities.workspace.text_document_content = schemes
        return result

    @lsp_method(types.SHUTDOWN)
    async def lsp_shutdown(self, *args: Any) -> None:  # type: ignore[override]
        """Cancels what is under way, then calls the handler."""
        self._shutdown = True
        own = self.msg_id
        for msg_id, future in tuple(self._request_futures.items()):
            if msg_id != own:
                future.cancel()
        await _awaited(self.fm.features[types.SHUTDOWN](*args))

    @lsp_method(types.EXIT)
    def lsp_exit(self, *args: Any) -> None:  # type: ignore[override]
        """Ends the loop that reads."""
        self.exit_code = 0 if self._shutdown else 1
        self.stop_reading.set()

    # --- what pygls would keep or look up itself --------------------------------------------------

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        self.fm.features[types.TEXT_DOCUMENT_DID_OPEN](params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        self.fm.features[types.TEXT_DOCUMENT_DID_CHANGE](params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        self.fm.features[types.TEXT_DOCUMENT_DID_CLOSE](params)

    @lsp_method(types.NOTEBOOK_DOCUMENT_DID_OPEN)
    def lsp_notebook_document__did_open(self, params: types.DidOpenNotebookDocumentParams) -> None:
        self.fm.features[types.NOTEBOOK_DOCUMENT_DID_OPEN](params)

    @lsp_method(types.NOTEBOOK_DOCUMENT_DID_CHANGE)
    def lsp_notebook_document__did_change(self, params: types.DidChangeNotebookDocumentParams) -> None:
        self.fm.features[types.NOTEBOOK_DOCUMENT_DID_CHANGE](params)

    @lsp_method(types.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def lsp_notebook_document__did_close(self, params: types.DidCloseNotebookDocumentParams) -> None:
        self.fm.features[types.NOTEBOOK_DOCUMENT_DID_CLOSE](params)

    @lsp_method(types.WINDOW_WORK_DONE_PROGRESS_CANCEL)
    def lsp_work_done_progress_cancel(self, params: types.WorkDoneProgressCancelParams) -> None:
        self.fm.features[types.WINDOW_WORK_DONE_PROGRESS_CANCEL](params)

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    async def lsp_workspace__execute_command(self, params: types.ExecuteCommandParams) -> Any:  # type: ignore[override]
        """A task of its own, so that cancelling the request cancels the command, which reads its own arguments."""
        command: Callable[[tuple[Any, ...]], Any] | None = self.fm.commands.get(params.command)
        if command is None:
            known = ", ".join(sorted(self.fm.commands))
            raise JsonRpcInvalidParams(f"no command {params.command!r}; there are {known}")
        return await _awaited(command(tuple(params.arguments or ())))


async def _awaited(result: Any) -> Any:
    return await result if inspect.isawaitable(result) else result
