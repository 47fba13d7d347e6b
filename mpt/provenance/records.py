"""Records that assistants leave with git, read as text: which lines of a commit an assistant wrote. Pure.

    Git AI Standard 3.0.0      a note a commit under refs/notes/ai
    Agent Trace 0.1            JSON records, in a file or under refs/notes/agent-trace
    trailers and authors       Co-Authored-By: Claude …, an author called aider, …

To attribute a line: blame it to its commit and its line there, look up that commit's record, find the line.
What cannot be read says nothing; it is written by others and may be anything.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Origin:
    """A line of the present text in the commit that last changed it; rows from 1 there."""

    commit: str
    path: str
    row: int


@dataclass(frozen=True, slots=True)
class Stretch:
    """Lines `first` to `last`, from 1 and both included, and who wrote them."""

    first: int
    last: int
    assistant: str


@dataclass(frozen=True, slots=True)
class Record:
    """What is known of one commit. stretches: by path. whole: an assistant that wrote all of it."""

    stretches: Mapping[str, tuple[Stretch, ...]] = field(default_factory=dict)
    whole: str | None = None


NOT_COMMITTED = "0" * 40


def attributed(origins: Iterable[Origin], records: Mapping[str, Record]) -> list[str | None]:
    """For each line the assistant that wrote it, None where nobody says so.

    A record of lines is more exact than a trailer: where a commit has one for the file, the trailer counts for nothing.
    """
    made = []
    for origin in origins:
        record = records.get(origin.commit, Record())
        stretches = record.stretches.get(origin.path)
        if stretches is None:
            made.append(record.whole)
        else:
            made.append(next((one.assistant for one in stretches if one.first <= origin.row <= one.last), None))
    return made


def origins(porcelain: str) -> list[Origin]:
    """From `git blame --line-porcelain`."""
    made, commit, row = [], "", 0
    path = ""
    for line in porcelain.split("\n"):
        if line.startswith("\t"):
            made.append(Origin(commit, path, row))
        elif line.startswith("filename "):
            path = line.removeprefix("filename ")
        elif match := _BLAME.match(line):
            commit, row = match[1], int(match[2])
    return made


_BLAME = re.compile(r"([0-9a-f]{40,64}) (\d+) \d+")


# --- Git AI ---------------------------------------------------------------------------------------


def git_ai(note: str) -> Record:
    """A note of the Git AI Standard: attestations, a line `---`, JSON."""
    attestations, _, metadata = note.partition("\n---\n")
    agents = _agents(_object(metadata))
    stretches: dict[str, list[Stretch]] = {}
    path = None
    for line in attestations.split("\n"):
        if line and not line[0].isspace():
            path = line.strip('"')
            stretches.setdefault(path, [])
        elif path and line.strip():
            key, _, ranges = line.strip().partition(" ")
            if agent := agents.get(key) or agents.get(key.partition("::")[0]):
                stretches[path] += [Stretch(first, last, agent) for first, last in _ranges(ranges)]
    return Record({name: tuple(found) for name, found in stretches.items()})


def _agents(metadata: Mapping[str, Any]) -> dict[str, str]:
    """The tool behind each key; keys of people are not among them."""
    if not str(metadata.get("schema_version", "")).startswith("authorship/3."):
        return {}
    found = {}
    for table in (metadata.get("prompts"), metadata.get("sessions")):
        for key, value in (table if isinstance(table, dict) else {}).items():
            agent = value.get("agent_id") if isinstance(value, dict) else None
            if isinstance(agent, dict) and isinstance(agent.get("tool"), str):
                found[key] = agent["tool"]
    return found


def _ranges(text: str) -> list[tuple[int, int]]:
    found = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d{1,9})(?:-(\d{1,9}))?\s*", part)
        if match:
            found.append((int(match[1]), int(match[2] or match[1])))
    return found


# --- Agent Trace ----------------------------------------------------------------------------------


def agent_trace(text: str) -> dict[str, Record]:
    """Records of Agent Trace, one JSON object or one a line, by the revision they speak of."""
    whole = _object(text)
    objects = [whole] if whole else [_object(line) for line in text.split("\n")]
    made: dict[str, Record] = {}
    for one in objects:
        vcs = one.get("vcs")
        revision = vcs.get("revision") if isinstance(vcs, dict) else None
        if isinstance(revision, str):
            before = dict(made[revision].stretches) if revision in made else {}
            made[revision] = Record(before | _files(one))
    return made


def _files(trace: Mapping[str, Any]) -> dict[str, tuple[Stretch, ...]]:
    tool = trace.get("tool")
    name = tool.get("name") if isinstance(tool, dict) else None
    assistant = name if isinstance(name, str) else "an assistant"
    found = {}
    for file in _list(trace.get("files")):
        if isinstance(file, dict) and isinstance(file.get("path"), str):
            conversations = [one for one in _list(file.get("conversations")) if isinstance(one, dict)]
            found[file["path"]] = tuple(stretch for one in conversations for stretch in _stretches(one, assistant))
    return found


def _stretches(conversation: Mapping[str, Any], assistant: str) -> list[Stretch]:
    found = []
    for one in _list(conversation.get("ranges")):
        if not isinstance(one, dict):
            continue
        contributor = one.get("contributor") or conversation.get("contributor")
        kind = contributor.get("type") if isinstance(contributor, dict) else None
        first, last = one.get("start_line"), one.get("end_line")
        if kind in ("ai", "mixed") and isinstance(first, int) and isinstance(last, int):
            found.append(Stretch(first, last, assistant))
    return found


# --- commits --------------------------------------------------------------------------------------

NAMES = (
    r"claude|copilot|github copilot|cursor|codex|chatgpt|gpt-\d\S*|openai|gemini|aider|devin|windsurf|cody|amazon q"
    r"|junie|jules|opencode"
)
"""Names of assistants, some of them names of people too: see `_NAMED`."""

_NAMED = (
    rf"({NAMES})(?:[ -](?:code|cli|agent|swe|ai|bot|integration|opus|sonnet|haiku|pro|flash|v?\d[\d.]{{0,9}}"
    r"|\([^()]{0,40}\)))*(?:\[bot\])?"
)
"""A whole name that is an assistant's: "Claude", "Claude Opus 4.5", not "Claude Dubois"."""
_AUTHOR = re.compile(rf"\s*(?:{_NAMED}|[^<]*\((aider)\))\s*(?:<.*)?", re.IGNORECASE)
_TRAILER = re.compile(rf"(?:co-authored-by|assisted-by)\s*:\s*{_NAMED}\s*(?:<.*)?", re.IGNORECASE)
_BY_TRAILER = re.compile(r"(?:ai-generated-by|ai-assistant|generated-by-ai)\s*:\s*(\S.*)", re.IGNORECASE)


def commit_record(author: str, message: str) -> Record:
    """Of a commit by its author ("Name <address>") and its message."""
    if match := _AUTHOR.fullmatch(author):
        return Record(whole=match[1] or match[2])
    for line in message.strip().rpartition("\n\n")[2].split("\n"):
        if match := _TRAILER.fullmatch(line.strip()) or _BY_TRAILER.fullmatch(line.strip()):
            return Record(whole=match[1])
    return Record()


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
