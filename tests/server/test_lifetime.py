"""However a client goes, nothing is left: no process, no file, and no lock that keeps the next one out."""

from __future__ import annotations

import asyncio
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from editor import HERE, PATIENCE_S, Editor, editing, environment

HOLDS = 'def add(numbers, start):\n    """Adds them up. It holds."""\n    return 3\n'
STUBBORN = HOLDS.replace("holds", "is stubborn")


async def checking(editor: Editor, text: str = HOLDS) -> str:
    uri = editor.open(text)
    editor.save(uri)
    await editor.until(lambda: editor.calls == ["add"])
    return uri


async def ended(editor: Editor) -> int:
    return await asyncio.wait_for(editor.process.wait(), PATIENCE_S)


async def test_shutdown_and_exit(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        await checking(editor)
    assert editor.process.returncode == 0
    assert editor.lines("closed") == ["tools"]
    assert editor.lines("ended") == []


async def test_exit_without_shutdown(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        await checking(editor)
        editor.client.exit(None)
        assert await ended(editor) == 1
    assert editor.lines("closed") == ["tools"]


async def test_the_pipe_is_closed(tmp_path: Path) -> None:
    """pygls#118, #173: it used to spin."""
    async with editing(tmp_path) as editor:
        await checking(editor)
        assert editor.process.stdin is not None
        editor.process.stdin.close()
        assert await ended(editor) == 1
    assert editor.lines("closed") == ["tools"]


async def test_a_check_that_heeds_nothing_keeps_nobody(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        await checking(editor, STUBBORN)
    assert editor.process.returncode == 0


async def test_terminated(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        await checking(editor)
        editor.process.send_signal(signal.SIGTERM)
        await ended(editor)
    assert editor.lines("closed") == ["tools"]


async def test_nothing_is_left_of_the_reports(tmp_path: Path) -> None:
    wrong = HOLDS.replace("It holds", "It says inconsistent")
    async with editing(tmp_path) as editor:
        uri = editor.open(wrong)
        editor.save(uri)
        await editor.warned(uri)
        await editor.command("mpt.showDisagreements", uri, "add")
        shown = Path(editor.client.shown_documents[0].uri.removeprefix("file://"))
        assert shown.exists()
    assert not shown.parent.exists()


async def test_a_killed_server_does_not_keep_the_next_one_out(tmp_path: Path) -> None:
    """pylsp-mypy#88: a stale lock blocked the next start."""
    async with editing(tmp_path) as editor:
        await checking(editor)
        editor.process.kill()
        await ended(editor)
    (tmp_path / "release").touch()
    async with editing(tmp_path) as editor:
        uri = editor.open(HOLDS)
        editor.save(uri)
        await editor.until(lambda: editor.lines("ended") == ["add"])
        assert editor.questions == []


# --- a client that dies ---------------------------------------------------------------------------

CLIENT = """
import subprocess, sys
server = subprocess.Popen(sys.argv[2:], stdin=int(sys.argv[1]) if sys.argv[1] else subprocess.PIPE)
print(server.pid, file=sys.stderr, flush=True)
sys.stdin.read()
"""


class DyingClient:
    """A process that starts a server. With `keep_open` the server's stdin stays open when the client is gone."""

    def __init__(self, folder: Path, keep_open: bool) -> None:
        reading, self.writing = os.pipe()
        arguments = [sys.executable, "-c", CLIENT, str(reading) if keep_open else "", sys.executable]
        arguments += [str(HERE / "scripted_server.py"), str(folder)]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            arguments, stdin=pipe, stdout=pipe, stderr=pipe, pass_fds=[reading], env=environment()
        )
        os.close(reading)
        assert self.process.stderr is not None
        self.server = os.pidfd_open(int(self.process.stderr.readline()))

    def send(self, method: str, **params: Any) -> None:
        """Waits for the answer, too."""
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
        os.write(self.writing, b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        assert self.process.stdout is not None
        assert self.process.stdout.readline().startswith(b"Content-Length")

    def kill_and_wait_for_server(self) -> None:
        self.process.kill()
        try:
            ready, _, _ = select.select([self.server], [], [], PATIENCE_S)
            assert ready, "the server outlived its client"
        finally:
            os.close(self.writing)
            os.close(self.server)
            self.process.communicate()


def test_the_client_dies_during_the_start(tmp_path: Path) -> None:
    """vscode-languageserver-node#726."""
    DyingClient(tmp_path, keep_open=False).kill_and_wait_for_server()


def test_the_client_dies_before_initialize_and_the_pipe_stays_open(tmp_path: Path) -> None:
    client = DyingClient(tmp_path, keep_open=True)
    client.send("textDocument/hover", textDocument={"uri": "file:///a.py"}, position={"line": 0, "character": 0})
    client.kill_and_wait_for_server()


def test_the_client_dies_and_the_pipe_stays_open(tmp_path: Path) -> None:
    """pygls#130: the parent's id was kept, and never looked at."""
    client = DyingClient(tmp_path, keep_open=True)
    client.send("initialize", processId=client.process.pid, rootUri=None, capabilities={})
    client.kill_and_wait_for_server()


def test_one_socket_for_both_directions(tmp_path: Path) -> None:
    """As inetd and socat have it: what is said must not get lost because reading does not block."""
    ours, theirs = socket.socketpair()
    command = [sys.executable, str(HERE / "scripted_server.py"), str(tmp_path)]
    with ours, subprocess.Popen(command, stdin=theirs, stdout=theirs, env=environment()) as server:
        theirs.close()
        ours.settimeout(PATIENCE_S)
        initialize = {"processId": None, "rootUri": None, "capabilities": {}}
        messages = [{"id": 1, "method": "initialize", "params": initialize}]
        messages += [{"id": n, "method": f"mpt/{'x' * 300_000}", "params": {}} for n in range(2, 12)]
        bodies = [json.dumps({"jsonrpc": "2.0"} | message).encode() for message in messages]
        framed = b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(body), body) for body in bodies)
        threading.Thread(target=ours.sendall, args=[framed], daemon=True).start()
        said = b""
        while said.count(b'"jsonrpc"') < len(messages):
            part = ours.recv(1 << 16)
            assert part, "the server has gone"
            said += part
        ours.shutdown(socket.SHUT_WR)
        assert server.wait(PATIENCE_S) == 1


# --- more ------------------------------------------------------------------------------------------


async def test_two_servers_know_nothing_of_each_other(tmp_path: Path) -> None:
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
    wrong = HOLDS.replace("It holds", "It says inconsistent")
    async with editing(folders[0]) as one, editing(folders[1]) as two:
        first = one.open(wrong)
        second = two.open(wrong)
        one.save(first)
        await one.warned(first)
        await two.handled()
        assert two.questions == []
        assert two.calls == []
        two.save(second)
        await two.warned(second)
    assert one.calls == two.calls == ["add"]


async def test_two_servers_check_the_same_function_at_the_same_time(tmp_path: Path) -> None:
    """pylsp-mypy#44: two runs killed each other."""
    text = HOLDS.replace("It holds", "It holds and says inconsistent")
    async with editing(tmp_path, options={"trusted": True}) as one, editing(tmp_path, options={"trusted": True}) as two:
        uri = one.open(text)
        two.open(text)
        for editor in (one, two):
            editor.save(uri)
        await one.until(lambda: one.calls == ["add", "add"])
        one.release()
        for editor in (one, two):
            await editor.warned(uri)
        assert one.lines("ended") == ["add", "add"]


async def test_what_is_printed_does_not_break_the_protocol(tmp_path: Path) -> None:
    """acton#2629."""
    async with editing(tmp_path) as editor:
        uri = editor.open(HOLDS.replace("It holds", "It prints and says inconsistent"))
        editor.save(uri)
        await editor.warned(uri)
        assert editor.client.error is None
