"""A language server that only listens: each change of a document goes into a log, with what could be known then.

    python listener.py LOG        standard library only; started by record.py, inside the editor

Neovim closes and opens a document that it reads again from the disk: that is one change of the whole text.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

REFS = ("HEAD", "MERGE_HEAD", "REBASE_HEAD", "CHERRY_PICK_HEAD", "refs/stash")


def main(log: Path) -> None:
    texts: dict[str, str] = {}
    while message := receive():
        method, params = message.get("method"), message.get("params") or {}
        if method == "initialize":
            send(
                {"id": message["id"], "result": {"capabilities": {"textDocumentSync": 2, "positionEncoding": "utf-16"}}}
            )
        elif method == "textDocument/didOpen":
            document = params["textDocument"]
            uri, text, name = document["uri"], document["text"], Path(path_of(document["uri"])).name
            again = {"at": round(time.monotonic(), 3), "name": name, "changes": [{"text": text}]}
            entry = again | facts(Path(path_of(uri)), text) if uri in texts else {"open": name, "text": text}
            texts[uri] = text
            write(log, entry)
        elif method == "textDocument/didChange":
            uri, now = params["textDocument"]["uri"], time.monotonic()
            for change in params["contentChanges"]:
                texts[uri] = applied(texts[uri], change)
            event = {"at": round(now, 3), "name": Path(path_of(uri)).name, "changes": params["contentChanges"]}
            write(log, event | facts(Path(path_of(uri)), texts[uri]))
        elif method == "shutdown":
            send({"id": message["id"], "result": None})
        elif method == "exit":
            return


def facts(path: Path, text: str) -> dict[str, Any]:
    """Whether the text came from the disk, and which lines git knows."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        return {}
    known = set()
    for ref in REFS:
        shown = subprocess.run(["git", "show", f"{ref}:./{path.name}"], cwd=path.parent, capture_output=True, text=True)
        if shown.returncode == 0:
            known |= set(shown.stdout.splitlines())
    return {"on_disk": True, "in_git": sorted(known)}


def applied(text: str, change: dict[str, Any]) -> str:
    if "range" not in change:
        return str(change["text"])
    lines = text.split("\n")
    start, end = (offset(lines, change["range"][which]) for which in ("start", "end"))
    return text[:start] + str(change["text"]) + text[end:]


def offset(lines: list[str], place: dict[str, int]) -> int:
    """The recordings are ASCII: a unit is a character."""
    row = min(place["line"], len(lines))
    before = sum(len(line) + 1 for line in lines[:row])
    return before + (place["character"] if row < len(lines) else -1)


def path_of(uri: str) -> str:
    return unquote(urlsplit(uri).path)


def receive() -> dict[str, Any] | None:
    size = 0
    while line := sys.stdin.buffer.readline().strip():
        if line.lower().startswith(b"content-length:"):
            size = int(line.split(b":")[1])
    return json.loads(sys.stdin.buffer.read(size)) if size else None


def send(content: dict[str, Any]) -> None:
    body = json.dumps({"jsonrpc": "2.0"} | content).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    sys.stdout.buffer.flush()


def write(log: Path, entry: dict[str, Any]) -> None:
    with log.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(entry) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
