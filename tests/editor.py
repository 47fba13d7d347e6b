"""An editor for tests: the real server as a child process, talked to over stdio with pytest-lsp's client."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar, Union

from cattrs import Converter
from lsprotocol import types
from pygls.protocol import default_converter
from pytest_lsp import LanguageClient
from pytest_lsp.client import register_lsp_features

T = TypeVar("T")
HERE = Path(__file__).parent
PATIENCE_S = 60.0
"""A test that waits longer has failed; nothing waits by sleeping for a guessed time."""


class Editor:
    """One client. `answer` is what the person says to a question; None: they close it."""

    def __init__(self, client: LanguageClient, folder: Path) -> None:
        self.client = client
        self.folder = folder
        self.answer: str | None = "Allow"
        self.questions: list[str] = []
        self.published: list[types.PublishDiagnosticsParams] = []
        self.versions: dict[str, int] = {}
        self.texts: dict[str, str] = {}
        self.edits: list[types.ApplyWorkspaceEditParams] = []
        self._happened = asyncio.Event()

    @property
    def process(self) -> asyncio.subprocess.Process:
        assert self.client._server is not None
        return self.client._server

    # --- what the person does ---------------------------------------------------------------------

    def open(self, text: str, name: str = "app.py", uri: str | None = None) -> str:
        path = self.folder / name
        if uri is None:
            path.write_bytes(text.encode("utf-8", "surrogatepass"))
        uri = uri or path.as_uri()
        self.versions[uri], self.texts[uri] = 1, text
        item = types.TextDocumentItem(uri, "python", 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return uri

    def change(self, uri: str, *changes: types.TextDocumentContentChangeEvent) -> int:
        self.versions[uri] += 1
        named = types.VersionedTextDocumentIdentifier(self.versions[uri], uri)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(named, list(changes)))
        return self.versions[uri]

    def replace(self, uri: str, old: str, new: str) -> int:
        """Replaces the only place where `old` stands by the smallest incremental change, as an editor would; UTF-16."""
        text = self.texts[uri]
        assert text.count(old) == 1, old
        start, end = text.index(old), text.index(old) + len(old)
        self.texts[uri] = text.replace(old, new)
        kept = _shared(old[::-1], new[::-1])
        old, new, end = old[: len(old) - kept], new[: len(new) - kept], end - kept
        kept = _shared(old, new)
        places = types.Range(place(text, start + kept), place(text, end))
        return self.change(uri, types.TextDocumentContentChangePartial(places, new[kept:]))

    def save(self, uri: str) -> None:
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(uri)))

    def close(self, uri: str) -> None:
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))

    async def command(self, name: str, *arguments: Any) -> Any:
        params = types.ExecuteCommandParams(name, list(arguments))
        return await self.client.workspace_execute_command_async(params)

    async def actions(self, uri: str, line: int, character: int = 0) -> list[types.CodeAction]:
        here = types.Position(line, character)
        context = types.CodeActionContext(self.shown(uri))
        params = types.CodeActionParams(types.TextDocumentIdentifier(uri), types.Range(here, here), context)
        return list(await self.client.text_document_code_action_async(params) or [])

    # --- what the person sees ---------------------------------------------------------------------

    def shown(self, uri: str) -> list[types.Diagnostic]:
        return list(self.client.diagnostics.get(uri, ()))

    async def until(self, seen: Callable[[], T]) -> T:
        """Waits until `seen()` is true, looking whenever the server has said something, or a file may have changed."""

        async def look() -> T:
            while not (found := seen()):
                self._happened.clear()
                try:
                    await asyncio.wait_for(self._happened.wait(), 0.02)
                except TimeoutError:
                    continue
            return found

        return await asyncio.wait_for(look(), PATIENCE_S)

    async def warned(self, uri: str, count: int = 1) -> list[types.Diagnostic]:
        await self.until(lambda: len(self.shown(uri)) == count)
        return self.shown(uri)

    def lines(self, file: str) -> list[str]:
        path = self.folder / file
        return path.read_text(encoding="utf-8").splitlines() if path.exists() else []

    @property
    def calls(self) -> list[str]:
        """The functions whose check began."""
        return self.lines("calls")

    def release(self) -> None:
        (self.folder / "release").touch()

    async def handled(self) -> None:
        """Everything sent so far has been handled: an answer comes after what was sent before its request."""
        params = types.HoverParams(types.TextDocumentIdentifier("file:///nowhere.py"), types.Position(0, 0))
        await self.client.text_document_hover_async(params)

    # --- what the editor does by itself -----------------------------------------------------------

    def listen(self) -> None:
        client = self.client

        @client.feature(types.WINDOW_SHOW_MESSAGE_REQUEST)
        def ask(params: types.ShowMessageRequestParams) -> types.MessageActionItem | None:
            self.questions.append(params.message)
            self._happened.set()
            return types.MessageActionItem(self.answer) if self.answer else None

        @client.feature(types.WORKSPACE_APPLY_EDIT)
        def apply(params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
            self.edits.append(params)
            return types.ApplyWorkspaceEditResult(applied=self._apply(params.edit))

        original = client.protocol.handle_message

        def handle(message: Any) -> None:
            if getattr(message, "method", "") == types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS:
                self.published.append(message.params)
            original(message)
            self._happened.set()

        client.protocol.handle_message = handle  # type: ignore[method-assign]

    def _apply(self, edit: types.WorkspaceEdit) -> bool:
        """As editors do: an edit of another version than the present one is refused."""
        for change in edit.document_changes or ():
            if isinstance(change, types.TextDocumentEdit):
                uri, version = change.text_document.uri, change.text_document.version
                if uri in self.texts and version not in (None, self.versions[uri]):
                    return False
                for one in change.edits:
                    if uri in self.texts and isinstance(one, types.TextEdit | types.AnnotatedTextEdit):
                        self._replace(uri, one)
        return True

    def _replace(self, uri: str, edit: types.TextEdit | types.AnnotatedTextEdit) -> None:
        text = self.texts[uri]
        start, end = offset(text, edit.range.start), offset(text, edit.range.end)
        self.texts[uri] = text[:start] + edit.new_text + text[end:]
        self.change(uri, types.TextDocumentContentChangePartial(edit.range, edit.new_text))


def offset(text: str, position: types.Position) -> int:
    """Where a place in UTF-16 stands."""
    lines = text.split("\n")
    before = sum(len(line) + 1 for line in lines[: position.line])
    units = lines[position.line].encode("utf-16-le", "surrogatepass")[: 2 * position.character]
    return before + len(units.decode("utf-16-le", "surrogatepass"))


def _shared(one: str, other: str) -> int:
    """How many first characters are the same."""
    pairs = zip(one, other, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def place(text: str, offset: int) -> types.Position:
    before = text[:offset]
    line = before.count("\n")
    last = before.rpartition("\n")[2]
    return types.Position(line, len(last.encode("utf-16-le", "surrogatepass")) // 2)


def full_capabilities() -> types.ClientCapabilities:
    """Of an editor that can do all a server may ask, and is pushed its diagnostics."""
    return types.ClientCapabilities(
        general=types.GeneralClientCapabilities(position_encodings=[types.PositionEncodingKind.Utf16]),
        window=types.WindowClientCapabilities(
            work_done_progress=True, show_document=types.ShowDocumentClientCapabilities(support=True)
        ),
        workspace=types.WorkspaceClientCapabilities(
            configuration=True,
            workspace_folders=True,
            apply_edit=True,
            workspace_edit=types.WorkspaceEditClientCapabilities(
                document_changes=True,
                resource_operations=[types.ResourceOperationKind.Create],
                change_annotation_support=types.ChangeAnnotationsSupportOptions(),
            ),
        ),
        text_document=types.TextDocumentClientCapabilities(
            publish_diagnostics=types.PublishDiagnosticsClientCapabilities(
                related_information=True, version_support=True, code_description_support=True
            ),
            hover=types.HoverClientCapabilities(content_format=[types.MarkupKind.Markdown]),
            code_action=types.CodeActionClientCapabilities(
                code_action_literal_support=types.ClientCodeActionLiteralOptions(
                    types.ClientCodeActionKindOptions([types.CodeActionKind.QuickFix])
                )
            ),
        ),
    )


def converter() -> Converter:
    """lsprotocol's, which takes every code action that has a command for a bare command."""
    made = default_converter()

    def structure(found: dict[str, Any], _: object) -> types.Command | types.CodeAction:
        bare = isinstance(found.get("command"), str)
        return made.structure(found, types.Command if bare else types.CodeAction)

    made.register_structure_hook(Union[types.Command, types.CodeAction], structure)  # noqa: UP007 the very same type
    return made


def make_client(configuration: dict[str, Any] | None = None) -> LanguageClient:
    client = LanguageClient(converter_factory=converter, configuration=configuration)
    register_lsp_features(client)
    return client


@asynccontextmanager
async def editing(
    folder: Path,
    *,
    capabilities: types.ClientCapabilities | None = None,
    options: Any = None,
    configuration: dict[str, Any] | None = None,
    answer: str | None = "Allow",
    folders: list[Path] | None = None,
    command: list[str] | None = None,
) -> AsyncIterator[Editor]:
    """An editor with the scripted server, initialized; shut down and waited for at the end."""
    client = make_client({"": {"mpt": configuration}} if configuration is not None else None)
    editor = Editor(client, folder)
    editor.answer = answer
    editor.listen()
    await client.start_io(
        *(command or [sys.executable, str(HERE / "scripted_server.py"), str(folder)]), env=environment()
    )
    roots = [types.WorkspaceFolder(root.as_uri(), root.name) for root in folders or [folder]]
    await client.initialize_session(
        types.InitializeParams(
            capabilities=capabilities or full_capabilities(),
            process_id=os.getpid(),
            workspace_folders=roots,
            initialization_options=options,
        )
    )
    try:
        yield editor
    finally:
        if editor.process.returncode is None:
            await asyncio.wait_for(client.shutdown_session(), PATIENCE_S)
        await client.stop()


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (HERE, *filter(None, sys.path))))}
