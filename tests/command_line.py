"""`mpt` run as a person runs it: a process of its own, with a home of its own, against a scripted model on loopback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from chat_server import Answer, Asked, ChatServer, completion

MPT = Path(sys.executable).parent / "mpt"
DOUBLE = '''def double(x: int) -> int:
    """Return twice the given number.

    >>> double(2)
    4
    """
    return {body}
'''
RIGHT = DOUBLE.format(body="2 * x")
WRONG = DOUBLE.format(body="x * x")
GOOD_PROGRAM = "```python\ndef double(x):\n    return x + x\n```"
REWORDED = "Give back the number multiplied by two."


def is_program(asked: Asked) -> bool:
    return "python code" in asked.body["messages"][-1]["content"]


def scripted(program: str = GOOD_PROGRAM, paraphrase: str = REWORDED) -> Callable[[Asked], Answer]:
    """A model that always answers the same; its paraphrases differ by a number, as samples of a real one do."""
    numbers = count(1)
    return lambda asked: completion(program if is_program(asked) else f"{paraphrase} ({next(numbers)})")


@dataclass
class Home:
    """A person's home: settings, cache and a project; `run` runs mpt in the project."""

    path: Path
    llm: str | None = None
    env: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.project.mkdir(exist_ok=True)

    @property
    def project(self) -> Path:
        return self.path / "project"

    @property
    def environment(self) -> dict[str, str]:
        inherited = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG", "SYSTEMROOT")}
        ours = {
            "HOME": str(self.path),
            "XDG_CACHE_HOME": str(self.path / "cache"),
            "XDG_CONFIG_HOME": str(self.path / "config"),
            "COLUMNS": "120",
        }
        return inherited | ours | ({"MPT_LLM": self.llm} if self.llm else {}) | self.env

    def write(self, name: str, text: str | bytes) -> Path:
        path = self.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def settings(self, text: str) -> None:
        folder = self.path / "config" / "mpt"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "settings.toml").write_text(text)

    def run(self, *arguments: str, prefix: tuple[str, ...] = ()) -> Ran:
        done = subprocess.run(
            [*prefix, str(MPT), *arguments],
            cwd=self.project, env=self.environment, text=True,
            stdin=subprocess.DEVNULL, capture_output=True, timeout=100,
        )  # fmt: skip
        return Ran(done.returncode, done.stdout, done.stderr)

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [str(MPT), *arguments],
            cwd=self.project, env=self.environment, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip


@dataclass(frozen=True)
class Ran:
    """What a run of mpt left: exit code, standard output, standard error."""

    code: int
    out: str
    err: str

    @property
    def functions(self) -> list[dict[str, Any]]:
        document = json.loads(self.out)
        assert document["schema"] == 1
        functions: list[dict[str, Any]] = document["functions"]
        return functions

    @property
    def error_line(self) -> str:
        """The one line an error is; fails where it is none, more, or a traceback."""
        lines = [line for line in self.err.splitlines() if line.startswith("mpt: ")]
        assert len(lines) == 1, self.err
        assert "Traceback" not in self.err + self.out
        return lines[0]


@contextmanager
def home_with_model(path: Path, answer: Callable[[Asked], Answer] | None = None) -> Iterator[tuple[Home, ChatServer]]:
    """A home whose MPT_LLM is a scripted model on loopback."""
    with ChatServer(answer or scripted()).serving() as server:
        yield Home(path, llm=f"scripted@{server.url}"), server


FAST = ("--fuzzer", "loop", "--format", "json")
"""For tests whose matter is not the fuzzer."""
