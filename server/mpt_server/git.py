"""What git knows of a file: which of its lines assistants wrote, and which lines it has in any state. For any thread.

A repository's own settings must not run anything: no hooks, no monitors, no text conversion, no network, and nothing
that converts the working tree. Whoever calls has the person's consent for the root all the same.
"""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path

from mpt.provenance.edits import key_of
from mpt.provenance.records import NOT_COMMITTED, Record, agent_trace, attributed, commit_record, git_ai, origins

_SAFE = ["--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "protocol.allow=never"]
_QUIET = {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "LC_ALL": "C"}
_PATIENCE_S = 10.0
_STATES = ("HEAD", "MERGE_HEAD", "REBASE_HEAD", "CHERRY_PICK_HEAD", "refs/stash")
_NOTES = {"refs/notes/ai": "git_ai", "refs/notes/agent-trace": "agent_trace"}
_LARGEST_TRACE = 20 << 20


class Git:
    """Asks git, and remembers what it said of a file until the branch moves on."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lines: dict[Path, tuple[str, Mapping[str, str]]] = {}

    def assistants(self, path: Path) -> Mapping[str, str]:
        """Which assistant wrote a line, by the line's key; lines that people wrote too are not among them."""
        head = (_run(path.parent, "rev-parse", "HEAD") or "").strip()
        with self._lock:
            if path in self._lines and self._lines[path][0] == head:
                return self._lines[path][1]
        found = _assistants(path) if head else {}
        with self._lock:
            self._lines[path] = (head, found)
        return found

    def known_lines(self, path: Path) -> frozenset[str]:
        """The keys of all lines that the file has in a state git knows: the last commit, a merge, the stash."""
        texts = (_run(path.parent, "cat-file", "-p", f"{state}:./{path.name}") for state in _STATES)
        return frozenset(key_of(line) for text in texts if text for line in text.splitlines())


def has_records(root: Path) -> bool:
    """Whether assistants left notes in the root's repository, by looking, without running git."""
    folder = root / ".git"
    packed = folder / "packed-refs"
    try:
        listed = packed.read_text(encoding="utf-8", errors="replace") if packed.is_file() else ""
    except OSError:
        listed = ""
    return any((folder / name).exists() or f" {name}\n" in listed for name in _NOTES)


def _assistants(path: Path) -> dict[str, str]:
    porcelain = _run(path.parent, "blame", "--no-textconv", "--line-porcelain", "HEAD", "--", path.name)
    if porcelain is None:
        return {}
    lines = origins(porcelain)
    contents = [line[1:] for line in porcelain.split("\n") if line.startswith("\t")]
    records = _records(path.parent, {line.commit for line in lines} - {NOT_COMMITTED})
    by_key: dict[str, str | None] = {}
    for content, assistant in zip(contents, attributed(lines, records), strict=True):
        key = key_of(content)
        by_key[key] = assistant if by_key.get(key, assistant) == assistant else None
    return {key: assistant for key, assistant in by_key.items() if assistant}


def _records(folder: Path, commits: Iterable[str]) -> dict[str, Record]:
    """What is known of each commit: a note's lines before a file of traces before a trailer."""
    wanted = sorted(commits)
    made = {commit: commit_record(*_author_and_message(text)) for commit, text in _objects(folder, wanted).items()}
    for commit, record in _traces(folder).items():
        if commit in made:
            made[commit] = record
    return made


def _traces(folder: Path) -> dict[str, Record]:
    made: dict[str, Record] = {}
    for file in sorted((Path.home() / ".agent-trace").glob("*.jsonl")):
        if file.stat().st_size <= _LARGEST_TRACE:
            made |= agent_trace(file.read_text(encoding="utf-8", errors="replace"))
    for ref, kind in _NOTES.items():
        listed = [line.split() for line in (_run(folder, "notes", f"--ref={ref}", "list") or "").splitlines()]
        texts = _objects(folder, [blob for blob, _ in listed])
        for blob, commit in listed:
            if kind == "git_ai":
                made[commit] = git_ai(texts.get(blob, ""))
            else:
                made |= agent_trace(texts.get(blob, ""))
    return made


def _objects(folder: Path, names: list[str]) -> dict[str, str]:
    """The texts of git's objects, in one call."""
    if not names:
        return {}
    answer = _run_bytes(folder, "cat-file", "--batch", input=("\n".join(names) + "\n").encode())
    made, at = {}, 0
    for name in names:
        head, _, _ = answer[at:].partition(b"\n")
        at += len(head) + 1
        if head.endswith(b" missing") or head.count(b" ") != 2:
            continue
        size = int(head.rsplit(b" ", 1)[1])
        made[name] = answer[at : at + size].decode("utf-8", "replace")
        at += size + 1
    return made


def _author_and_message(commit: str) -> tuple[str, str]:
    """From a commit object; "Name <address>" and the message."""
    head, _, message = commit.partition("\n\n")
    author = next((line for line in head.split("\n") if line.startswith("author ")), "author ")
    return author.removeprefix("author ").rsplit(">", 1)[0] + ">", message


def _run(folder: Path, *arguments: str) -> str | None:
    """Its output; None where git is missing, fails, or takes too long."""
    answer = _run_bytes(folder, *arguments)
    return answer.decode("utf-8", "replace") if answer else None


def _run_bytes(folder: Path, *arguments: str, input: bytes = b"") -> bytes:
    try:
        done = subprocess.run(
            ["git", *_SAFE, *arguments],
            cwd=folder,
            env={**os.environ, **_QUIET},
            input=input,
            capture_output=True,
            timeout=_PATIENCE_S,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return b""
    return done.stdout
