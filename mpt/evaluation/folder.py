"""The folder of one run: what it is a run of, and one JSON line a task for every step done.

* run.json: all that the evidence depends on; a folder of another run is refused
* evidence.jsonl: what every program of a task did (mpt.evaluation.grid)
* verdicts-POLICY-NUMBERS.jsonl: what a policy with these numbers says of every target
* truth-NAME-VERSION.jsonl: which programs are right
* seconds.jsonl: what each of these lines took, the only one in which two equal runs differ
* report.json, report.md, report.html, cases/: see mpt.evaluation.report and cases
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from mpt.errors import StoreError, UsageError


class RunFolder:
    """Raises UsageError for a folder of another run, StoreError where the disk says no."""

    def __init__(self, path: Path, manifest: Mapping[str, Any]) -> None:
        self.path = path
        with _storing(path):
            path.mkdir(parents=True, exist_ok=True)
            self._claim(json.loads(json.dumps(manifest)))

    def _claim(self, manifest: dict[str, Any]) -> None:
        file = self.path / "run.json"
        if not file.exists():
            if any(self.path.iterdir()):
                raise UsageError(f"{self.path}: not empty and not the folder of a run: choose another --out")
            write_whole(file, json.dumps(manifest, indent=2) + "\n")
            return
        try:
            kept = json.loads(file.read_text(encoding="utf-8"))
        except ValueError:
            raise UsageError(f"{file}: not the manifest of a run: choose another --out") from None
        if not isinstance(kept, dict) or kept != manifest:
            raise UsageError(f"{self.path}: holds another run ({_difference(kept, manifest)}): choose another --out")

    def lines(self, step: str) -> dict[str, str]:
        """The lines of a step by task. A last line that a kill tore is cut off the file."""
        file = self._file(step)
        return {str(_field(file, line, "task_id")): line for line in cut_torn(file)}

    def append(self, step: str, task_id: str, line: str, seconds: float) -> None:
        """Adds a task's line to a step, and what it took."""
        took = json.dumps({"step": step, "task_id": task_id, "seconds": round(seconds, 4)})
        for file, text in ((self._file(step), line), (self._file("seconds"), took)):
            with _storing(file), file.open("a", encoding="utf-8", newline="\n") as stream:
                stream.write(text + "\n")

    def seconds(self) -> dict[str, float]:
        """By step, over all tasks."""
        file, total = self._file("seconds"), dict[str, float]()
        for line in cut_torn(file):
            step = str(_field(file, line, "step"))
            total[step] = total.get(step, 0.0) + float(_field(file, line, "seconds"))
        return total

    def _file(self, step: str) -> Path:
        return self.path / f"{step}.jsonl"


def cut_torn(file: Path) -> Iterator[str]:
    """The lines of a file; a last one that a kill tore is cut off it. Raises StoreError."""
    if not file.exists():
        return
    with _storing(file), file.open("r+b") as stream:
        whole = 0
        for line in stream:
            if not line.endswith(b"\n"):
                stream.truncate(whole)
                break
            whole += len(line)
            yield line.decode("utf-8").rstrip("\n")


def write_whole(file: Path, text: str) -> None:
    """The whole file at once, or not at all. Raises StoreError."""
    partial = file.with_name(file.name + ".part")
    with _storing(file):
        partial.write_text(text, encoding="utf-8", newline="\n")
        partial.replace(file)


def _field(file: Path, line: str, name: str) -> Any:
    try:
        return json.loads(line)[name]
    except (ValueError, TypeError, KeyError):
        raise UsageError(f"{file}: holds a line that is not of a run: delete the file to make it again") from None


def _difference(kept: Any, manifest: dict[str, Any]) -> str:
    if not isinstance(kept, dict):
        return "its run.json is not an object"
    name = next(name for name in sorted(kept.keys() | manifest.keys()) if kept.get(name) != manifest.get(name))
    return f"{name} was {_short(kept.get(name))}, now {_short(manifest.get(name))}"


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "…"


@contextlib.contextmanager
def _storing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(f"{path}: cannot be written or read ({error.strerror or error})") from None
