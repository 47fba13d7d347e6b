"""Which lines of a program follow each other while it runs: `sys.monitoring` where there is one, else `sys.settrace`.

Only code compiled under the program's file name counts. A call that runs more lines than it may is ended by raising
Overrun from inside it, which depends on the program alone and on no clock.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any


class Overrun(BaseException):
    """The call ran too many lines."""


class Coverage:
    """`with coverage: call()`, then `coverage.edges`: how often each pair of lines was run one after the other."""

    def __init__(self, file: str, max_lines: int) -> None:
        self.file = file
        self.max_lines = max_lines
        self.lines = 0
        self.edges: dict[Any, int] = {}
        """(id of the code, line before, line) → how often."""
        self.before = 0

    def __enter__(self) -> None:
        self.lines = 0
        self.edges = {}
        self.before = 0
        self.start()

    def __exit__(self, *exception: object) -> None:
        self.stop()

    def start(self) -> None:
        raise NotImplementedError

    def stop(self) -> None:
        raise NotImplementedError

    def line(self, code: Any, line: int) -> None:
        edge = (id(code), self.before, line)  # the programs live as long as we do
        self.before = line
        self.edges[edge] = self.edges.get(edge, 0) + 1
        self.step()

    def step(self) -> None:
        self.lines += 1
        if self.lines > self.max_lines:
            raise Overrun


class Tracing(Coverage):
    """For Python 3.11 and older. A program that sets a trace function of its own goes unseen until its next call."""

    def start(self) -> None:
        sys.settrace(self._enter)

    def stop(self) -> None:
        sys.settrace(None)

    def _enter(self, frame: Any, event: str, argument: Any) -> Callable[..., Any] | None:
        return self._step if frame.f_code.co_filename == self.file else None

    def _step(self, frame: Any, event: str, argument: Any) -> Callable[..., Any]:
        if event == "line":
            self.line(frame.f_code, frame.f_lineno)
        return self._step


class Monitoring(Coverage):
    """For Python 3.12 and later: lines of other files are switched off for good when they are met."""

    def __init__(self, file: str, max_lines: int) -> None:
        super().__init__(file, max_lines)
        self.tool: Any = sys.monitoring  # type: ignore[attr-defined, unused-ignore]
        self.id = self.tool.COVERAGE_ID
        self.tool.use_tool_id(self.id, "mpt")
        self.tool.register_callback(self.id, self.tool.events.LINE, self._met)
        self.tool.register_callback(self.id, self.tool.events.JUMP, self._jumped)
        self.tool.set_events(self.id, self.tool.events.LINE | self.tool.events.JUMP)
        self.thread = threading.get_ident()
        self.on = False

    def start(self) -> None:
        self.on = True

    def stop(self) -> None:
        self.on = False

    def _met(self, code: Any, line: int) -> Any:
        if code.co_filename != self.file:
            return self.tool.DISABLE
        if self.on and threading.get_ident() == self.thread:
            self.line(code, line)
        return None

    def _jumped(self, code: Any, start: int, end: int) -> Any:
        """A loop on a single line, `while x: pass`, runs no other line, but jumps."""
        if code.co_filename != self.file:
            return self.tool.DISABLE
        if self.on and threading.get_ident() == self.thread:
            self.step()
        return None


def coverage(file: str, max_lines: int) -> Coverage:
    """The best this interpreter has."""
    return (Monitoring if hasattr(sys, "monitoring") else Tracing)(file, max_lines)
