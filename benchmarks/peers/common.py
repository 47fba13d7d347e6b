"""What the peers share: the job, the program under test, and how an input is printed. Standard library only."""

from __future__ import annotations

import json
import os
import sys
import types
from pathlib import Path
from typing import Any


def start() -> tuple[dict[str, Any], Any]:
    """The job, and the function it names; the peer's own packages can be imported afterwards."""
    sys.path.append(os.environ["PEER_PACKAGES"])
    job = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    module = types.ModuleType("target")
    sys.modules["target"] = module
    exec(compile(job["source"], "target.py", "exec"), module.__dict__)
    return job, module.__dict__[job["entry_point"]]


def show(arguments: list[Any] | tuple[Any, ...]) -> None:
    """One input; what cannot be written as data is passed over."""
    try:
        text = json.dumps([tree(value) for value in arguments])
    except (TypeError, ValueError):
        return
    os.write(1, text.encode("ascii") + b"\n")


def tree(value: Any) -> Any:
    """As `mpt.worker.codec` spells values."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, list):
        return [tree(item) for item in value]
    if isinstance(value, tuple):
        return {"tuple": [tree(item) for item in value]}
    if isinstance(value, dict):
        return {"dict": [[tree(key), tree(item)] for key, item in value.items()]}
    if isinstance(value, (set, frozenset)):
        return {type(value).__name__: sorted((tree(item) for item in value), key=json.dumps)}
    raise TypeError(type(value).__name__)
