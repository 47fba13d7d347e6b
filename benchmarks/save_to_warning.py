"""How long a person waits from a save to the warning while the store is warm, over recorded wrong programs.

    python benchmarks/save_to_warning.py --programs programs.jsonl.gz [--each 2] [--most N] [--fuzzer loop]

The documents are programs that models wrote and that HumanEval's tests fail, at most so many a task. A model on
loopback answers with recorded paraphrase programs of the same task. Each document is opened, saved and checked once,
which fills the store. Then its function's body is edited (a comment: another text, so its verdict is not known) and
saved: the seconds until the diagnostic. At last the server starts anew and opens each document: the seconds until what
is stored is shown. The server, the engine, the fuzzer and the wall are the real ones.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from mpt.source import find_functions
from server import TESTS, Server, percentile

sys.path.append(str(TESTS))

from chat_server import Answer, Asked, ChatServer, completion

PROGRAMS = 5


class Recorded:
    """Answers as a model: rewordings that are numbered, and the recorded programs of the function asked for in turn."""

    def __init__(self, programs: Mapping[str, Sequence[str]]) -> None:
        self._programs = programs
        self._asked: defaultdict[str, int] = defaultdict(int)

    def __call__(self, asked: Asked) -> Answer:
        question = asked.body["messages"][-1]["content"]
        names = [name for name in re.findall(r"^def (\w+)", question, re.MULTILINE) if name in self._programs]
        kind = names[-1] if names and "python code" in question else ""
        number = self._asked[kind]
        self._asked[kind] += 1
        if not kind:
            return completion(f"Do what is described, in other words: number {number}.")
        return completion(f"```python\n{self._programs[kind][number % PROGRAMS]}\n```")


def documents(rows: Sequence[Mapping[str, Any]], each: int) -> list[tuple[str, str]]:
    """Name of the function and text of the document, at most `each` different ones a task."""
    found: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for row in rows:
        text = row["program"].rstrip() + "\n"
        functions = [one for one in find_functions(text, "app.py") if not one.obstacle and one.prompt.has_description]
        if row["published_pass"] is False and functions and len(found[row["task_id"]]) < each:
            found[row["task_id"]][text] = functions[-1].name
    return [(name, text) for texts in found.values() for text, name in texts.items()]


def paraphrase_programs(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """The recorded programs from reworded docstrings, by the name of the function."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for row in rows:
        names = re.findall(r"^def (\w+)", row["program"], re.MULTILINE)
        if row["relation"] in ("verbose", "concise") and names:
            found[names[-1]].append(row["program"])
    return {name: programs for name, programs in found.items() if len(programs) >= PROGRAMS}


class Editor:
    """A client with one folder; each document is a file of its own."""

    def __init__(self, home: Path, llm: str, fuzzer: str | None) -> None:
        environment = {
            **os.environ,
            "XDG_CACHE_HOME": str(home / "cache"),
            "XDG_CONFIG_HOME": str(home),
            "MPT_LLM": llm,
        }
        self.server = Server([sys.executable, "-m", "mpt_server"], environment)
        self._root = home
        options = {"trusted": True, "select": "documented", "maxCallsPerDay": 1_000_000}
        params = {"processId": os.getpid(), "rootUri": home.as_uri(), "capabilities": {}}
        options |= {"fuzzer": fuzzer} if fuzzer else {}
        self.server.answer(self.server.ask("initialize", params | {"initializationOptions": options}))
        self.server.notify("initialized", {})

    def open(self, number: int, text: str) -> str:
        uri = (self._root / f"app{number}.py").as_uri()
        document = {"uri": uri, "languageId": "python", "version": 1, "text": text}
        self.server.notify("textDocument/didOpen", {"textDocument": document})
        return uri

    def edit(self, uri: str, line: int, character: int) -> None:
        here = {"line": line, "character": character}
        change = {"range": {"start": here, "end": here}, "text": "  # edited"}
        named = {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [change]}
        self.server.notify("textDocument/didChange", named)

    def save(self, uri: str) -> None:
        self.server.notify("textDocument/didSave", {"textDocument": {"uri": uri}})

    def close(self, uri: str) -> None:
        self.server.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def revalidated(self, uri: str) -> bool:
        """Checks every function and waits for the end; whether there is a warning."""
        self.server.answer(
            self.server.ask("workspace/executeCommand", {"command": "mpt.revalidateFile", "arguments": [uri]})
        )
        while any("checking" in lens["command"]["title"] for lens in self._lenses(uri)):
            time.sleep(0.05)
        return bool(self.server.shown.get(uri))

    def _lenses(self, uri: str) -> list[Any]:
        _, said = self.server.answer(self.server.ask("textDocument/codeLens", {"textDocument": {"uri": uri}}))
        return said["result"] or []

    def warned(self, uri: str, version: int, patience_s: float = 60.0) -> float | None:
        """When the diagnostic of that version came; None: it did not."""
        deadline = time.perf_counter() + patience_s
        while time.perf_counter() < deadline:
            for at, params in list(self.server.publications):
                if params["uri"] == uri and params["version"] == version and params["diagnostics"]:
                    return at
            time.sleep(0.002)
        return None


@contextmanager
def editor(home: Path, llm: str, fuzzer: str | None) -> Iterator[Editor]:
    made = Editor(home, llm, fuzzer)
    try:
        yield made
    finally:
        made.server.stop()


def report(title: str, seconds: Sequence[float | None]) -> None:
    came = [one for one in seconds if one is not None]
    if not came:
        print(f"  {title}: nothing came")
        return
    print(
        f"  {title}: {len(came)} of {len(seconds)} came; "
        f"median {statistics.median(came):.2f} s, 95 % {percentile(came, 0.95):.2f} s, most {max(came):.2f} s"
    )


def edited(client: Editor, number: int, text: str) -> float | None:
    """Seconds from the save of an edited body to the diagnostic."""
    uri = client.open(number, text)
    line = text.rstrip().count("\n")
    client.edit(uri, line, len(text.rstrip().rpartition("\n")[2]))
    began = time.perf_counter()
    client.save(uri)
    came = client.warned(uri, 2)
    client.close(uri)
    return came and came - began


def opened(client: Editor, number: int, text: str) -> float | None:
    """Seconds from opening to the stored diagnostic."""
    began = time.perf_counter()
    uri = client.open(number, text)
    came = client.warned(uri, 1)
    client.close(uri)
    return came and came - began


@click.command()
@click.option("--programs", type=click.Path(exists=True, path_type=Path), required=True)
@click.option("--each", default=2, help="Documents a task at most.")
@click.option("--most", default=None, type=int, help="Documents in all.")
@click.option("--fuzzer", default=None, help="Another than the server's default.")
def main(programs: Path, each: int, most: int | None, fuzzer: str | None) -> None:
    """Prints what is measured."""
    with gzip.open(programs, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    recorded = paraphrase_programs(rows)
    texts = [text for name, text in documents(rows, each) if name in recorded][:most]
    with tempfile.TemporaryDirectory() as temporary, ChatServer(Recorded(recorded)).serving() as model:
        home, llm = Path(temporary), f"recorded@{model.url}"
        with editor(home, llm, fuzzer) as client:
            warned = [text for n, text in enumerate(texts) if client.revalidated(client.open(n, text))]
        asked = len(model.asked)
        print(f"{len(texts)} wrong programs, {len(warned)} warned of; the store is warm ({asked} replies)")
        with editor(home, llm, fuzzer) as client:
            report("a stored verdict, from opening", [opened(client, n, text) for n, text in enumerate(warned)])
            report("an edited body, from its save", [edited(client, n, text) for n, text in enumerate(warned)])
        print(f"  language model calls meanwhile: {len(model.asked) - asked}")


if __name__ == "__main__":
    main()
