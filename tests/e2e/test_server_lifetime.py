"""What the real server started is gone when it is, or when its editor is: workers behind the wall, all of them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from command_line import DOUBLE, Home, home_with_model
from processes import children_of, is_running

ENDLESS = DOUBLE.format(body="[x for x in iter(int, 1)]")
OPTIONS = {"trusted": True, "select": "documented", "fuzzer": "loop", "inputS": 60, "programS": 60}
EDITOR = """
import subprocess, sys
server = subprocess.Popen([sys.executable, "-m", "mpt_server"], stdin=int(sys.argv[1]))
print(server.pid, flush=True)
sys.stdin.read()
"""
PATIENCE_S = 60.0


class Editor:
    """A process that starts the server and can be killed; the server's stdin stays open all the same."""

    def __init__(self, home: Home) -> None:
        reading, self._writing = os.pipe()
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            [sys.executable, "-c", EDITOR, str(reading)],
            stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL,
            pass_fds=[reading], cwd=home.project, env=home.environment,
        )  # fmt: skip
        os.close(reading)
        assert self.process.stdout is not None
        self.server = int(self.process.stdout.readline())

    def say(self, method: str, params: Any, number: int | None = None) -> None:
        named = {} if number is None else {"id": number}
        body = json.dumps({"jsonrpc": "2.0", **named, "method": method, "params": params}).encode()
        os.write(self._writing, b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def save(self, path: Path) -> None:
        """Opens and saves a document, after initialize."""
        params = {"processId": self.process.pid, "rootUri": path.parent.as_uri(), "capabilities": {}}
        self.say("initialize", params | {"initializationOptions": OPTIONS}, 1)
        self.say("initialized", {})
        document = {"uri": path.as_uri(), "languageId": "python", "version": 1, "text": path.read_text()}
        self.say("textDocument/didOpen", {"textDocument": document})
        self.say("textDocument/didSave", {"textDocument": document})

    def close(self) -> None:
        self.process.kill()
        os.close(self._writing)
        self.process.communicate()


@contextmanager
def checking(folder: Path) -> Iterator[tuple[Editor, set[int]]]:
    """An editor whose server runs a function that does not end, and the processes that do it."""
    with home_with_model(folder) as (home, _):
        editor = Editor(home)
        try:
            editor.save(home.write("app.py", ENDLESS))
            until(lambda: busy(editor.server))
            yield editor, descendants(editor.server)
        finally:
            editor.close()


def busy(server: int) -> bool:
    """A worker's child, three or more below the server, has worked for a while."""
    return any(cpu_s(pid) > 0.3 for pid in descendants(server) if not children_of(pid))


def descendants(pid: int) -> set[int]:
    found = set(children_of(pid))
    return found.union(*(descendants(child) for child in found))


def cpu_s(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def until(seen: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not seen():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("crash", ["the editor is killed", "the server is killed", "the server is terminated"])
def test_no_process_outlives_a_crash(tmp_path: Path, crash: str) -> None:
    """pygls#130."""
    with checking(tmp_path) as (editor, processes):
        assert len(processes) >= 2
        if crash == "the editor is killed":
            editor.process.kill()
        else:
            os.kill(editor.server, signal.SIGKILL if crash == "the server is killed" else signal.SIGTERM)
        until(lambda: not any(map(is_running, {editor.server, *processes})))
