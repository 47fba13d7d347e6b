"""An hour at the editor, compressed: random edits, saves, closes, cancels, killed workers, a killed model.

    python benchmarks/soak.py [--actions 900] [--seed 0]

900 actions are one every four seconds for an hour. The server, its pipeline, fuzzer and wall are the real ones; the
language model is a process on loopback that writes `times_3` from its name. At the end every document is saved, and
each wrong function must be warned of and no right one; then the server leaves, and no process may be left. Exit code
0: so it was.
"""

from __future__ import annotations

import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from server import TESTS, Server

sys.path.append(str(TESTS))

from chat_server import Answer, Asked, ChatServer, completion
from processes import children_of, is_running

FUNCTION = '''def times_{0}(x: int) -> int:
    """Return {0} times the given number.

    >>> times_{0}(0)
    0
    """
    {1}


'''
RIGHT, WRONG = "return x * {0}", "return x ** {0}"
FILES, FUNCTIONS = 3, 3
PATIENCE_S = 240.0
OPTIONS = {"trusted": True, "select": "documented", "maxCallsPerDay": 10_000_000, "llmDeadlineS": 20, "inputs": 10}
OPTIONS |= {"checkOn": "save", "paraphrases": 4, "fuzzExecutions": 300}


class Client(Server):
    """Remembers what the server says it is doing."""

    def __init__(self, home: Path, llm: str) -> None:
        self.tokens: list[Any] = []
        self.messages: list[str] = []
        folders = {"XDG_CACHE_HOME": str(home / "cache"), "XDG_CONFIG_HOME": str(home), "HOME": str(home)}
        super().__init__([sys.executable, "-m", "mpt_server"], {**os.environ, **folders, "MPT_LLM": llm})
        capabilities = {"window": {"workDoneProgress": True}}
        params = {"processId": os.getpid(), "rootUri": home.as_uri(), "capabilities": capabilities}
        self.answer(self.ask("initialize", params | {"initializationOptions": OPTIONS}))
        self.notify("initialized", {})

    def _heard(self, said: dict[str, Any]) -> None:
        if said.get("method") == "$/progress" and said["params"]["value"]["kind"] == "begin":
            self.tokens.append(said["params"]["token"])
        if said.get("method") == "window/showMessage":
            self.messages.append(said["params"]["message"])
        super()._heard(said)


class Model:
    """The language model's process; it is killed and started again at the same port."""

    def __init__(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.llm = f"soak@http://127.0.0.1:{self.port}/v1"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        if self._process is None:
            self._process = subprocess.Popen([sys.executable, __file__, "model", str(self.port)], stdin=subprocess.PIPE)

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


class Person:
    """Who edits. Each document is its head and its functions, right or wrong, as the client sees them."""

    def __init__(self, client: Client, model: Model, home: Path, seed: int) -> None:
        self.client, self.model, self.random = client, model, random.Random(seed)
        self.seen: set[int] = set()
        self.uris = [(home / f"app{number}.py").as_uri() for number in range(FILES)]
        self.heads = dict.fromkeys(self.uris, "")
        self.right = {uri: {f * FUNCTIONS + n + 3: True for n in range(FUNCTIONS)} for f, uri in enumerate(self.uris)}
        self.versions = dict.fromkeys(self.uris, 0)
        self.open: set[str] = set()
        self.actions: list[tuple[int, Callable[[str], None]]] = [
            (20, self.edit_body), (15, self.edit_elsewhere), (20, self.save), (5, self.close), (10, self.ask),
            (5, self.stop), (5, self.cancel_progress), (5, self.cancel_request), (5, self.break_and_mend),
            (4, self.kill_worker), (2, self.kill_model), (4, self.start_model),
        ]  # fmt: skip

    def act(self) -> None:
        weights = [weight for weight, _ in self.actions]
        [(_, action)] = self.random.choices(self.actions, weights)
        uri = self.random.choice(self.uris)
        self.opened(uri)
        action(uri)
        self.seen |= descendants(self.client.process.pid)
        time.sleep(self.random.expovariate(8))

    def text(self, uri: str) -> str:
        bodies = {number: (RIGHT if right else WRONG).format(number) for number, right in self.right[uri].items()}
        return self.heads[uri] + "".join(FUNCTION.format(number, body) for number, body in bodies.items())

    # --- what happens -----------------------------------------------------------------------------

    def opened(self, uri: str) -> None:
        if uri not in self.open:
            self.open.add(uri)
            self.versions[uri] += 1
            item = {"uri": uri, "languageId": "python", "version": self.versions[uri], "text": self.text(uri)}
            self.client.notify("textDocument/didOpen", {"textDocument": item})

    def edit_body(self, uri: str) -> None:
        before, number = self.text(uri), self.random.choice(list(self.right[uri]))
        self.right[uri][number] = not self.right[uri][number]
        self._change(uri, before, self.text(uri))

    def edit_elsewhere(self, uri: str) -> None:
        before = self.text(uri)
        self.heads[uri] = "# a comment 😀\n" * self.random.randrange(4)
        self._change(uri, before, self.text(uri))

    def break_and_mend(self, uri: str) -> None:
        text = self.text(uri)
        broken = text.replace("return", "retrn (", 1)
        self._change(uri, text, broken)
        self.save(uri)
        self._change(uri, broken, text)

    def save(self, uri: str) -> None:
        self.client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})

    def close(self, uri: str) -> None:
        self.open.discard(uri)
        self.client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def ask(self, uri: str) -> None:
        here = {"line": self.random.randrange(30), "character": self.random.randrange(20)}
        document = {"textDocument": {"uri": uri}}
        numbers = [
            self.client.ask("textDocument/hover", document | {"position": here}),
            self.client.ask("textDocument/codeLens", document),
            self.client.ask(
                "textDocument/codeAction",
                document | {"range": {"start": here, "end": here}, "context": {"diagnostics": []}},
            ),
        ]
        for number in numbers:
            self.client.answer(number)

    def stop(self, uri: str) -> None:
        self.client.answer(self.client.ask("workspace/executeCommand", {"command": "mpt.stop"}))

    def cancel_progress(self, uri: str) -> None:
        for token in self.client.tokens[-2:]:
            self.client.notify("window/workDoneProgress/cancel", {"token": token})

    def cancel_request(self, uri: str) -> None:
        order = {"command": "mpt.revalidateFile", "arguments": [uri]}
        number = self.client.ask("workspace/executeCommand", order)
        self.client.notify("$/cancelRequest", {"id": number})
        self.client.answer(number)

    def kill_worker(self, uri: str) -> None:
        below = sorted(descendants(self.client.process.pid))
        if below:
            kill(self.random.choice(below))

    def kill_model(self, uri: str) -> None:
        self.model.kill()

    def start_model(self, uri: str) -> None:
        self.model.start()

    def _change(self, uri: str, before: str, after: str) -> None:
        """The smallest change of lines."""
        old, new = before.split("\n"), after.split("\n")
        same = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), None)
        if same is None:
            return
        tail = next((n for n, (a, b) in enumerate(zip(old[:same:-1], new[:same:-1], strict=False)) if a != b), 0)
        start, end = {"line": same, "character": 0}, {"line": len(old) - tail, "character": 0}
        text = "".join(line + "\n" for line in new[same : len(new) - tail])
        if tail == 0:
            end, text = {"line": len(old), "character": 0}, "\n".join(new[same:])
        self.versions[uri] += 1
        named = {"uri": uri, "version": self.versions[uri]}
        changes = [{"range": {"start": start, "end": end}, "text": text}]
        self.client.notify("textDocument/didChange", {"textDocument": named, "contentChanges": changes})

    # --- the end ----------------------------------------------------------------------------------

    def at_last(self) -> None:
        """Everything is saved, and the model answers."""
        self.model.start()
        for uri in self.uris:
            self.opened(uri)
            self.save(uri)

    def wrong(self) -> dict[str, set[str]]:
        """What must be warned of."""
        return {uri: {f"times_{n}" for n, right in self.right[uri].items() if not right} for uri in self.uris}

    def shown(self) -> dict[str, set[str]]:
        """What is."""
        found: dict[str, set[str]] = {uri: set() for uri in self.uris}
        for uri in self.uris:
            lines = self.text(uri).split("\n")
            for diagnostic in self.client.shown.get(uri, ()):
                name = re.match(r"def (\w+)", lines[diagnostic["range"]["start"]["line"]])
                found[uri].add(name[1] if name else f"nothing, in line {diagnostic['range']['start']['line']}")
        return found


def descendants(pid: int) -> set[int]:
    found = set(children_of(pid))
    return found.union(*(descendants(child) for child in found))


def kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def answer(asked: Asked) -> Answer:
    question = asked.body["messages"][-1]["content"]
    number = re.search(r"times_(\d+)", question)
    if number and "python code" in question:
        return completion(f"```python\ndef times_{number[1]}(x):\n    return {number[1]} * x\n```")
    return completion(f"Give back the number multiplied: {random.random()}.")


def serve(port: int) -> None:
    """Until standard input ends, or it is killed."""
    with ChatServer(answer, port=port).serving():
        sys.stdin.read()


def settle(person: Person) -> bool:
    """Waits until what is shown is what must be; what could not be judged meanwhile is asked for once more."""
    deadline = time.monotonic() + PATIENCE_S
    person.at_last()
    again = time.monotonic() + PATIENCE_S / 4
    while person.shown() != person.wrong() and time.monotonic() < deadline:
        time.sleep(0.1)
        if time.monotonic() > again:
            again = deadline
            person.client.answer(person.client.ask("workspace/executeCommand", {"command": "mpt.revalidateAll"}))
    return person.shown() == person.wrong()


def left(processes: set[int]) -> set[int]:
    """Those that still run a moment later."""
    deadline = time.monotonic() + 10
    while any(map(is_running, processes)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return set(filter(is_running, processes))


def soak(actions: int, seed: int, home: Path) -> bool:
    model = Model()
    model.start()
    client = Client(home, model.llm)
    person = Person(client, model, home, seed)
    try:
        began, sizes = time.monotonic(), []
        for number in range(actions):
            person.act()
            if number % max(1, actions // 6) == 0:
                sizes.append(client.memory())
        took = time.monotonic() - began
        right = settle(person)
        sizes.append(client.memory())
        person.seen |= descendants(client.process.pid)
        client.stop()
    finally:
        model.kill()
        client.process.kill()
    remaining = left(person.seen)
    wrong = sum(map(len, person.wrong().values()))
    print(f"{actions} actions in {took:.0f} s, seed {seed}; {len(client.publications)} publications")
    print(f"  must be warned of: {wrong} of {FILES * FUNCTIONS}; shown: {'the same' if right else person.shown()}")
    print(f"  MB resident meanwhile: {', '.join(f'{size:.0f}' for size in sizes)}")
    print(f"  exit code {client.process.returncode}; {len(person.seen)} processes seen, {len(remaining)} left")
    for message in sorted(set(client.messages)):
        print(f"  said: {message}")
    return right and not remaining and client.process.returncode == 0


@click.command()
@click.option("--actions", default=900)
@click.option("--seed", default=0)
def main(actions: int, seed: int) -> None:
    """Prints what was seen; fails where it is not what it must be."""
    with tempfile.TemporaryDirectory() as home:
        sys.exit(0 if soak(actions, seed, Path(home)) else 1)


if __name__ == "__main__":
    if sys.argv[1:2] == ["model"]:
        serve(int(sys.argv[2]))
    else:
        main()
