"""Whatever a client sends is answered: with a result, or with an error that says why."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from editor import HERE, PATIENCE_S, editing, environment

WRONG = 'def add(numbers, start):\n    """Adds them up. It says inconsistent."""\n    return 3\n'


class Wire:
    """A client without manners: it sends what it likes, byte for byte."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process, self._stdin, self._stdout = process, process.stdin, process.stdout
        self.said: list[dict[str, Any]] = []

    def send_bytes(self, body: bytes) -> None:
        self._stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def notify(self, method: str, params: Any = None) -> None:
        self.send_bytes(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode())

    async def request(self, method: str, params: Any = None, number: int | str = 1) -> dict[str, Any]:
        self.send_bytes(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode())
        return await self.answer(number)

    async def answer(self, number: int | str) -> dict[str, Any]:
        while True:
            said = await self.next()
            if said.get("id") == number and "method" not in said:
                return said

    async def next(self) -> dict[str, Any]:
        head = await asyncio.wait_for(self._stdout.readuntil(b"\r\n\r\n"), PATIENCE_S)
        size = int(head.split(b":")[1].split(b"\r\n")[0])
        said: dict[str, Any] = json.loads(await self._stdout.readexactly(size))
        self.said.append(said)
        return said


@asynccontextmanager
async def wire(folder: Path, initialize: bool = True, trusted: bool | None = True) -> AsyncIterator[Wire]:
    pipe = asyncio.subprocess.PIPE
    command = [sys.executable, str(HERE / "scripted_server.py"), str(folder)]
    with (folder / "errors").open("wb") as errors:
        process = await asyncio.create_subprocess_exec(
            *command, stdin=pipe, stdout=pipe, stderr=errors, env=environment()
        )
    made = Wire(process)
    if initialize:
        params = {"processId": os.getpid(), "rootUri": None, "capabilities": {}}
        await made.request("initialize", params | {"initializationOptions": {"trusted": trusted}})
        made.notify("initialized", {})
    try:
        yield made
    finally:
        made._stdin.close()
        await asyncio.wait_for(process.wait(), PATIENCE_S)


HOVER = {"textDocument": {"uri": "file:///a.py"}, "position": {"line": 0, "character": 0}}


async def test_before_initialize(tmp_path: Path) -> None:
    async with wire(tmp_path, initialize=False) as client:
        assert (await client.request("textDocument/hover", HOVER))["error"]["code"] == -32002
        client.notify("textDocument/didSave", {"textDocument": {"uri": "file:///a.py"}})
        assert (await client.request("shutdown"))["error"]["code"] == -32002
        answer = await client.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        assert answer["result"]["serverInfo"]["name"] == "mpt"


async def test_initialize_twice_and_after_shutdown(tmp_path: Path) -> None:
    async with wire(tmp_path) as client:
        again = await client.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        assert again["error"]["code"] == -32600
        assert (await client.request("shutdown"))["result"] is None
        assert (await client.request("textDocument/hover", HOVER))["error"]["code"] == -32600


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("textDocument/hover", None),
        ("textDocument/hover", {"textDocument": 3}),
        ("textDocument/hover", HOVER | {"position": {"line": -1, "character": 0}}),
        ("textDocument/hover", HOVER | {"position": {"line": "x", "character": 0}}),
        ("textDocument/codeAction", {"textDocument": {"uri": "file:///a.py"}}),
        ("workspace/executeCommand", {}),
        ("workspace/executeCommand", {"command": "mpt.nothing"}),
        ("workspace/executeCommand", {"command": "mpt.revalidate"}),
        ("workspace/executeCommand", {"command": "mpt.revalidate", "arguments": [3]}),
        ("workspace/executeCommand", {"command": "mpt.revalidate", "arguments": ["file:///closed.py", "f"]}),
        ("workspace/executeCommand", {"command": "mpt.trust", "arguments": ["yes"]}),
    ],
)
async def test_parameters_of_the_wrong_kind(tmp_path: Path, method: str, params: Any) -> None:
    async with wire(tmp_path) as client:
        answer = await client.request(method, params)
        assert answer["error"]["code"] == -32602
        assert answer["error"]["message"]


async def test_an_unknown_method(tmp_path: Path) -> None:
    async with wire(tmp_path) as client:
        assert (await client.request("mpt/nothing", {}))["error"]["code"] == -32601
        client.notify("mpt/nothing", {})
        assert "result" in await client.request("textDocument/hover", HOVER)


@pytest.mark.parametrize("body", [b"{", b"[]", b"null", b'"x"', b"\xff", b'{"jsonrpc": "1.0"}', b'{"jsonrpc": "2.0"}'])
async def test_what_is_no_message_harms_nobody(tmp_path: Path, body: bytes) -> None:
    async with wire(tmp_path) as client:
        client.send_bytes(body)
        assert "result" in await client.request("textDocument/hover", HOVER)


async def test_documents_that_are_not_open(tmp_path: Path) -> None:
    async with wire(tmp_path) as client:
        document = {"uri": "file:///closed.py", "version": 2}
        client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": "x"}]})
        client.notify("textDocument/didSave", {"textDocument": document})
        client.notify("textDocument/didClose", {"textDocument": document})
        assert (await client.request("textDocument/hover", HOVER))["result"] is None
        action = HOVER | {
            "range": {"start": HOVER["position"], "end": HOVER["position"]},
            "context": {"diagnostics": []},
        }
        assert (await client.request("textDocument/codeAction", action))["result"] == []
        assert not [said for said in client.said if said.get("method") == "window/showMessage"]


FAR = {"line": 10**6, "character": 10**6}
AROUND = {"start": {"line": 1, "character": 10**6}, "end": FAR}


@pytest.mark.parametrize(
    ("method", "where", "answer"),
    [
        ("textDocument/hover", {"position": FAR}, None),
        ("textDocument/codeAction", {"range": AROUND, "context": {"diagnostics": []}}, 8),
        ("textDocument/codeAction", {"range": {"start": FAR, "end": FAR}, "context": {"diagnostics": []}}, 0),
        (
            "textDocument/codeAction",
            {"range": {"start": FAR, "end": HOVER["position"]}, "context": {"diagnostics": []}},
            8,
        ),
        ("textDocument/inlayHint", {"range": AROUND}, 0),
    ],
)
async def test_ranges_outside_the_text(tmp_path: Path, method: str, where: dict[str, Any], answer: int | None) -> None:
    async with wire(tmp_path) as client:
        await saved(client, "file:///a.py")
        while not any(said.get("method") == "textDocument/publishDiagnostics" for said in client.said):
            await client.next()
        result = (await client.request(method, HOVER | where))["result"]
        assert (result if answer is None else len(result)) == answer


async def saved(client: Wire, uri: str) -> None:
    item = {"uri": uri, "languageId": "python", "version": 1, "text": WRONG + "\n\nx = 1\n"}
    client.notify("textDocument/didOpen", {"textDocument": item})
    client.notify("textDocument/didSave", {"textDocument": item})


async def test_a_single_file_without_a_folder(tmp_path: Path) -> None:
    async with wire(tmp_path) as client:
        await saved(client, (tmp_path / "alone.py").as_uri())
        while not any(said.get("method") == "textDocument/publishDiagnostics" for said in client.said):
            await client.next()
        assert len(client.said[-1]["params"]["diagnostics"]) == 1


async def test_a_shutdown_while_a_command_waits_leaves_no_traceback(tmp_path: Path) -> None:
    """pygls#587."""
    async with wire(tmp_path, trusted=None) as client:
        item = {"uri": "file:///a.py", "languageId": "python", "version": 1, "text": WRONG}
        client.notify("textDocument/didOpen", {"textDocument": item})
        order = {"command": "mpt.revalidate", "arguments": [item["uri"], "add"]}
        asked = {"jsonrpc": "2.0", "id": 7, "method": "workspace/executeCommand", "params": order}
        client.send_bytes(json.dumps(asked).encode())
        while (await client.next()).get("method") != "window/showMessageRequest":
            pass
        assert (await client.request("shutdown", number=8))["result"] is None
        assert [said["error"]["code"] for said in client.said if said.get("id") == 7] == [-32800]
        client.notify("exit")
        assert await asyncio.wait_for(client.process.wait(), PATIENCE_S) == 0
    assert (tmp_path / "errors").read_text() == ""


ODD = {
    "NULs": WRONG.replace("add", "a\x00dd") + "\x00",
    "lone surrogates": 's = "\ud800"\n' + WRONG,
    "carriage returns": WRONG.replace("\n", "\r"),
    "tabs": WRONG.replace("    ", "\t"),
    "one line": "x = [" + "1, " * 200_000 + "]",
    "nothing": "",
    "no Python": "\x00\x01\x02<?xml" * 50,
    "form feeds": "\x0c\n" + WRONG.replace("\n", "\x0c\n"),
    "deep": "(" * 5_000 + ")" * 5_000,
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD.keys())
async def test_odd_texts(tmp_path: Path, text: str) -> None:
    async with wire(tmp_path) as client:
        item = {"uri": "file:///a.py", "languageId": "python", "version": 1, "text": text}
        client.notify("textDocument/didOpen", {"textDocument": item})
        places = {"start": {"line": 0, "character": 1}, "end": {"line": 9, "character": 99}}
        changes = [
            {"range": places, "text": "\r"},
            {"range": {"start": places["end"], "end": places["end"]}, "text": "x"},
        ]
        client.notify("textDocument/didChange", {"textDocument": item, "contentChanges": changes})
        client.notify("textDocument/didSave", {"textDocument": item})
        await client.request("workspace/executeCommand", {"command": "mpt.revalidateFile", "arguments": [item["uri"]]})
        assert "result" in await client.request("textDocument/hover", HOVER)
        assert not [said for said in client.said if "Error in server" in str(said)]


@pytest.mark.parametrize(
    "uri", ["untitled:Untitled-1", "http://127.0.0.1/a.py", "git:/a.py?%7B%7D", "x", "file:///gone/a.py"]
)
async def test_a_uri_that_is_no_file_there(tmp_path: Path, uri: str) -> None:
    async with editing(tmp_path) as editor:
        editor.open(WRONG, uri=uri)
        editor.save(uri)
        await editor.warned(uri)


async def test_a_document_too_large_is_said_once_and_left_alone(tmp_path: Path) -> None:
    async with wire(tmp_path) as client:
        uri = "file:///a.py"
        item = {"uri": uri, "languageId": "python", "version": 1, "text": WRONG + "x = 1\n" * 900_000}
        client.notify("textDocument/didOpen", {"textDocument": item})
        for _ in range(2):
            client.notify("textDocument/didSave", {"textDocument": item})
            await client.request("workspace/executeCommand", {"command": "mpt.revalidateFile", "arguments": [uri]})
        said = [one["params"]["message"] for one in client.said if one.get("method") == "window/showMessage"]
        assert len(said) == 1
        assert "larger" in said[0]


async def test_a_root_that_vanished(tmp_path: Path) -> None:
    root = tmp_path / "root"
    async with editing(tmp_path, folders=[root]) as editor:
        uri = (root / "a.py").as_uri()
        editor.open(WRONG, uri=uri)
        editor.save(uri)
        await editor.warned(uri)


@pytest.mark.parametrize("wrong", [3, "x", [1], {"policy": 3}, {"polcy": "majority"}, {"concurrentChecks": 0}])
@pytest.mark.parametrize("way", ["options", "configuration"])
async def test_settings_of_the_wrong_shape(tmp_path: Path, wrong: Any, way: str) -> None:
    how: dict[str, Any] = {way: wrong}
    async with editing(tmp_path, **how) as editor:
        uri = editor.open(WRONG)
        editor.save(uri)
        await editor.warned(uri)
        messages = [message.message for message in editor.client.messages]
        assert len(messages) == 1, messages
        assert "initializationOptions" in messages[0] or "editor's settings" in messages[0]


async def test_a_command_that_cannot_be_served_says_why(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        uri = editor.open(WRONG)
        with pytest.raises(JsonRpcException, match="no function 'sub'"):
            await editor.command("mpt.revalidate", uri, "sub")


async def test_what_a_program_answers_is_shown_as_text(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        uri = editor.open(WRONG.replace("It says", "It is evil and says"))
        editor.save(uri)
        [diagnostic] = await editor.warned(uri)
        params = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(0, 5))
        found = await editor.client.text_document_hover_async(params)
        assert found is not None
        assert isinstance(found.contents, types.MarkupContent)
        await editor.command("mpt.showDisagreements", uri, "add")
        report = Path(editor.client.shown_documents[0].uri.removeprefix("file://")).read_text(encoding="utf-8")
        for text in (diagnostic.message, found.contents.value, report):
            assert "\x1b" not in text
            assert "\u202e" not in text
        for text in (found.contents.value, report):
            assert "![x]" not in outside_fences(text)
            assert "![x]" in text


def outside_fences(markdown: str) -> str:
    """What a reader of markdown takes for more than text."""
    left, fence = [], ""
    for line in markdown.split("\n"):
        if fence:
            fence = "" if line == fence else fence
        elif line.startswith("```"):
            fence = "`" * (len(line) - len(line.lstrip("`")))
        else:
            left.append(line)
    return "\n".join(left)
