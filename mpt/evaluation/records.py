"""Recorded programs: `programs.jsonl[.gz]`, one program a line.

    {"task_id", "source", "model", "relation", "sample", "program", "published_pass"}

A line that cannot be used is left out with its number and the reason, and the rest goes on.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mpt.errors import UsageError


@dataclass(frozen=True, slots=True)
class Record:
    """One line of a programs file; `line` is its number, from 1. What the line says of the truth stays behind."""

    line: int
    task_id: str
    source: str
    model: str
    relation: str
    sample: int
    program: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something that could not be used. line: in the file `where`, 0 where it is about no one line."""

    where: str
    line: int
    reason: str

    def __str__(self) -> str:
        return f"{self.where}:{self.line}: {self.reason}" if self.line else f"{self.where}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Records:
    """What a programs file holds, in its order."""

    rows: tuple[Record, ...]
    left_out: tuple[LeftOut, ...] = ()


_REQUIRED: dict[str, type] = {
    "task_id": str,
    "source": str,
    "model": str,
    "relation": str,
    "sample": int,
    "program": str,
}
_KNOWN = frozenset(_REQUIRED) | {"published_pass"}


class _Unusable(Exception):
    """Why a line cannot be used."""


def read_records(path: Path) -> Records:
    """Raises UsageError where there is no such file, or not one line of it can be used."""
    rows: list[Record] = []
    left_out: list[LeftOut] = []
    unknown: dict[str, list[int]] = {}
    seen: dict[tuple[object, ...], int] = {}
    for number, text in json_lines(path, left_out):
        try:
            entry = _entry(text)
            for name in entry.keys() - _KNOWN:
                unknown.setdefault(name, []).append(number)
            rows.append(_record(number, entry, seen))
        except _Unusable as reason:
            left_out.append(LeftOut(path.name, number, str(reason)))
    left_out += [LeftOut(path.name, lines[0], _ignored(name, len(lines))) for name, lines in sorted(unknown.items())]
    if not rows:
        why = f": {left_out[0]}" if left_out else ": it is empty"
        raise UsageError(f"{path}: holds no recorded program that can be used{why}")
    return Records(tuple(rows), tuple(left_out))


def json_lines(path: Path, left_out: list[LeftOut]) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, with their numbers. Where the file breaks off, `left_out` says so.

    Raises UsageError where it cannot be read at all.
    """
    number = 0
    try:
        with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                text = line.decode("utf-8", errors="replace")
                if text.strip():
                    yield number, text
    except FileNotFoundError:
        raise UsageError(f"{path}: no such file") from None
    except (OSError, EOFError, zlib.error) as error:
        if number == 0:
            raise UsageError(f"{path}: cannot be read ({error})") from None
        left_out.append(LeftOut(path.name, number + 1, f"the file breaks off here ({error})"))


def _entry(text: str) -> dict[str, Any]:
    try:
        entry = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _Unusable(f"not JSON ({error})") from None
    if not isinstance(entry, dict):
        raise _Unusable("not a JSON object")
    return entry


def _record(number: int, entry: dict[str, Any], seen: dict[tuple[object, ...], int]) -> Record:
    for name, kind in _REQUIRED.items():
        if name not in entry:
            raise _Unusable(f"field {name!r} is missing")
        if type(entry[name]) is not kind:
            raise _Unusable(f"field {name!r} wants {kind.__name__}, not {type(entry[name]).__name__}")
    passed = entry.get("published_pass")
    if passed is not None and not isinstance(passed, bool):
        raise _Unusable("field 'published_pass' wants true, false or null")
    record = Record(number, *(entry[name] for name in _REQUIRED))
    key = (record.task_id, record.source, record.model, record.relation, record.sample)
    if key in seen:
        raise _Unusable(f"the same task, source, model, relation and sample as line {seen[key]}")
    seen[key] = number
    return record


def _ignored(name: str, lines: int) -> str:
    return f"unknown field {name!r}, ignored here" + (f" and on {lines - 1} further lines" if lines > 1 else "")
