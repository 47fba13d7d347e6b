"""How the language server answers while it works, beside other servers on the same script.

    python benchmarks/server.py [--peer NAME=COMMAND]… [--edits 10000] [--pairs 1000]

Every server runs alone on the same document of 10,000 lines: the real one beside its peers, and then ours with eight
scripted checks running, each with a child process that keeps a processor busy and stands back as real ones do.
Milliseconds, medians; a start is the time until initialize is answered, the servers taking turns. What a server does
not offer it refuses, which is an answer too. Ratios are theirs by ours.
"""

from __future__ import annotations

import itertools
import json
import os
import queue
import shlex
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

TESTS = Path(__file__).parents[1] / "tests"
REAL = [sys.executable, "-m", "mpt_server"]
BARE = "from pygls.lsp.server import LanguageServer\nLanguageServer('bare', '1').start_io()"
FUNCTION = '''def f{0}(numbers, start):
    """Adds number {0} of them up. It {1}."""
    total = start
    for number in numbers:
        total += number
    return total


'''
LINES = 10_000
SAMPLES = 300
STARTS = 7
MOST_S = 30.0
"""Of one server on one question."""


class Server:
    """A server and its client. Answers are matched by id; what the server asks is answered at once."""

    def __init__(self, command: Sequence[str], environment: dict[str, str]) -> None:
        self.began = self.initialized = time.perf_counter()
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=environment)
        self._answers: dict[int, queue.Queue[tuple[float, dict[str, Any]]]] = {}
        self._number = 0
        self.published = threading.Event()
        self.publications: list[tuple[float, dict[str, Any]]] = []
        threading.Thread(target=self._listen, daemon=True).start()

    def send(self, content: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0"} | content).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def notify(self, method: str, params: Any) -> None:
        self.send({"method": method, "params": params})

    def ask(self, method: str, params: Any) -> int:
        self._number += 1
        self._answers[self._number] = queue.Queue()
        self.send({"id": self._number, "method": method, "params": params})
        return self._number

    def answer(self, number: int, patience: float = 120.0) -> tuple[float, dict[str, Any]]:
        """When it came, and what it is."""
        return self._answers[number].get(timeout=patience)

    def timed(self, method: str, params: Any) -> float:
        """Milliseconds from the request to its answer."""
        began = time.perf_counter()
        came, _ = self.answer(self.ask(method, params))
        return (came - began) * 1000

    def memory(self) -> float:
        """MB that are resident."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1024

    @property
    def shown(self) -> dict[str, list[Any]]:
        """The latest diagnostics by URI."""
        return {params["uri"]: params["diagnostics"] for _, params in self.publications}

    def stop(self) -> None:
        self.answer(self.ask("shutdown", None))
        self.notify("exit", None)
        self.process.wait(60)

    def _listen(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while head := stream.readline():
            size = 0
            while head.strip():
                if head.lower().startswith(b"content-length"):
                    size = int(head.split(b":")[1])
                head = stream.readline()
            self._heard(json.loads(stream.read(size)))

    def _heard(self, said: dict[str, Any]) -> None:
        if "method" not in said:
            if said.get("id") in self._answers:
                self._answers[said["id"]].put((time.perf_counter(), said))
        elif "id" in said:
            wants = said["method"] == "workspace/configuration"
            self.send({"id": said["id"], "result": [None] * len(said["params"]["items"]) if wants else None})
        elif said["method"] == "textDocument/publishDiagnostics":
            self.publications.append((time.perf_counter(), said["params"]))
            self.published.set()


def environment_of(command: Sequence[str]) -> dict[str, str]:
    """Ours finds the tests' helpers, too."""
    path = os.pathsep.join([str(TESTS), *filter(None, sys.path)])
    return {**os.environ, "PYTHONPATH": path} if command[0] == sys.executable else dict(os.environ)


@contextmanager
def serving(command: Sequence[str], root: Path, text: str, options: Any = None) -> Iterator[tuple[Server, str]]:
    """A server that has the document open, and its URI."""
    server = Server(command, environment_of(command))
    folder = {"uri": root.as_uri(), "name": root.name}
    params = {"processId": os.getpid(), "rootUri": root.as_uri(), "workspaceFolders": [folder]}
    number = server.ask("initialize", params | {"capabilities": {}, "initializationOptions": options})
    server.initialized, _ = server.answer(number)
    server.notify("initialized", {})
    uri = (root / "app.py").as_uri()
    (root / "app.py").write_text(text, encoding="utf-8")
    item = {"uri": uri, "languageId": "python", "version": 1, "text": text}
    server.notify("textDocument/didOpen", {"textDocument": item})
    try:
        yield server, uri
    finally:
        server.stop()


def document(says: str) -> str:
    head = "".join(FUNCTION.format(number, "burns" if number < 8 else says) for number in range(9))
    rows = LINES - head.count("\n")
    return head + "".join(f"value_{number} = {number}\n" for number in range(rows))


def place(line: int, character: int) -> dict[str, int]:
    return {"line": line, "character": character}


def requests(uri: str) -> dict[str, Any]:
    document, here = {"uri": uri}, place(0, 5)
    lines = {"start": here, "end": here}
    return {
        "textDocument/hover": {"textDocument": document, "position": here},
        "textDocument/codeAction": {"textDocument": document, "range": lines, "context": {"diagnostics": []}},
        "textDocument/codeLens": {"textDocument": document},
    }


def edit(server: Server, uri: str, version: int, line: int, text: str, removed: int = 0) -> None:
    lines = {"start": place(line, 0), "end": place(line, removed)}
    named = {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"range": lines, "text": text}]}
    server.notify("textDocument/didChange", named)


def busy(server: Server, uri: str, folder: Path) -> None:
    """Waits until the eight checks are running."""
    server.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    calls = folder / "calls"
    while not calls.exists() or len(calls.read_text(encoding="utf-8").splitlines()) < 8:
        time.sleep(0.05)


def percentile(samples: Sequence[float], share: float) -> float:
    return sorted(samples)[min(len(samples) - 1, int(share * len(samples)))]


def latencies(server: Server, uri: str, methods: Sequence[str]) -> None:
    for method in methods:
        params = requests(uri)[method]
        samples = [server.timed(method, params) for _ in range(SAMPLES)]
        print(f"  {method:28} median {statistics.median(samples):7.2f}   99 % {percentile(samples, 0.99):7.2f}")


def did_change(server: Server, uri: str, first_version: int) -> float:
    """An edit and the answer to a hover right behind it: the median."""
    samples, hover, until = [], requests(uri)["textDocument/hover"], time.monotonic() + MOST_S
    for number in range(SAMPLES):
        began = time.perf_counter()
        edit(server, uri, first_version + number, 9_000, "# x\n" if number % 2 == 0 else "", 0)
        came, _ = server.answer(server.ask("textDocument/hover", hover))
        samples.append((came - began) * 1000)
        if time.monotonic() > until:
            break
    return statistics.median(samples)


def endurance(server: Server, uri: str, edits: int, pairs: int, version: int) -> None:
    """Edits that come back to the text that was there, and cancelled requests: nothing lost, memory flat."""
    hover = requests(uri)["textDocument/hover"]
    sizes = []
    for number in range(edits):
        edit(server, uri, version + number, 9_000, "" if number % 2 else "y", 1 if number % 2 else 0)
        if number % (edits // 10) == 0:
            server.answer(server.ask("textDocument/hover", hover))
            sizes.append(server.memory())
    asked = []
    for _ in range(pairs):
        asked.append(server.ask("textDocument/hover", hover))
        server.notify("$/cancelRequest", {"id": asked[-1]})
    lost = 0
    for number in asked:
        try:
            server.answer(number, patience=30)
        except queue.Empty:
            lost += 1
    sizes.append(server.memory())
    shown = ", ".join(f"{size:.0f}" for size in sizes)
    print(f"  {edits} edits, {pairs} request-cancel pairs: {lost} without an answer; MB resident meanwhile: {shown}")


def loaded(folder: Path, edits: int, pairs: int) -> None:
    """Ours, with eight checks running."""
    command = [sys.executable, str(TESTS / "scripted_server.py"), str(folder)]
    options = {"trusted": True, "concurrentChecks": 8}
    with serving(command, folder, document("says inconsistent"), options) as (server, uri):
        busy(server, uri, folder)
        latencies(server, uri, list(requests(uri)))
        changed = did_change(server, uri, 2)
        print(f"  didChange and a hover, {LINES} lines:  median {changed:7.2f}")
        endurance(server, uri, edits, pairs, 1000)
        server.published.clear()
        (folder / "release").touch()
        server.published.wait(60)
        print(f"  afterwards it shows {len(server.shown.get(uri, ()))} diagnostic, of 1")


def at_rest(command: Sequence[str], folder: Path) -> tuple[float, float]:
    """MB resident with the document open; an edit and a hover, in ms."""
    with serving(command, folder, document("is")) as (server, uri):
        server.answer(server.ask("textDocument/hover", requests(uri)["textDocument/hover"]))
        time.sleep(3)
        return server.memory(), did_change(server, uri, 2)


def start(command: Sequence[str], folder: Path) -> float:
    """Milliseconds until initialize is answered."""
    with serving(command, folder, "") as (server, _):
        return (server.initialized - server.began) * 1000


def answered_in(folder: Path) -> float:
    """Milliseconds from the receipt of initialize, by a process that is up, to its answer."""
    server = Server(REAL, environment_of(REAL))
    server.answer(server.ask("textDocument/hover", None))
    params = {"processId": os.getpid(), "rootUri": folder.as_uri(), "capabilities": {}}
    took = server.timed("initialize", params)
    server.stop()
    return took


def beside(servers: Mapping[str, Sequence[str]], folder: Callable[[], Path]) -> None:
    """The first of them is ours."""
    starts: dict[str, list[float]] = {name: [] for name in servers}
    for _ in range(STARTS):
        for name, command in servers.items():
            starts[name].append(start(command, folder()))
    print(f"{'':24}       start          MB   didChange + hover     ratios to ours")
    first: tuple[float, ...] = ()
    for name, command in servers.items():
        figures = (statistics.median(starts[name]), *at_rest(command, folder()))
        first = first or figures
        ratios = " · ".join(f"{theirs / ours:.2f}" for theirs, ours in zip(figures, first, strict=True))
        print(f"{name:24}  {figures[0]:10.0f}  {figures[1]:10.0f}  {figures[2]:18.2f}     {ratios}")


@click.command()
@click.option("--peer", "peers", multiple=True, metavar="NAME=COMMAND", help="Another server on the same script.")
@click.option("--edits", default=10_000)
@click.option("--pairs", default=1_000)
def main(peers: tuple[str, ...], edits: int, pairs: int) -> None:
    """Prints what is measured."""
    with tempfile.TemporaryDirectory() as temporary:
        numbers = itertools.count()

        def folder() -> Path:
            made = Path(temporary) / str(next(numbers))
            made.mkdir()
            return made

        servers = {"mpt-server": REAL, "bare pygls": [sys.executable, "-c", BARE]}
        servers |= {name: shlex.split(command) for name, _, command in (one.partition("=") for one in peers)}
        beside(servers, folder)
        initialize = [answered_in(folder()) for _ in range(STARTS)]
        print(f"initialize, from its receipt:  median {statistics.median(initialize):.2f}")
        print("eight checks running, a busy child each:")
        loaded(folder(), edits, pairs)


if __name__ == "__main__":
    main()
