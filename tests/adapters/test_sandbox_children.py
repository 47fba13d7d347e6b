"""What the worker says too late is nobody's loss."""

from __future__ import annotations

import socket
from typing import Any, cast

from mpt.adapters.sandbox.children import Children
from mpt.adapters.sandbox.process import Answer


class LateWorker:
    """A worker that says how long a child has computed after that child has ended."""

    def __init__(self) -> None:
        self.control, self._theirs = socket.socketpair()
        self._theirs.send(b"!")

    def answers(self) -> list[Answer]:
        self.control.recv(1)
        return [Answer(b"C", 4711, 0, 0.5), Answer(b"E", 4711, 0, 0.5)]

    def close(self) -> None:
        self.control.close()
        self._theirs.close()


def test_an_answer_about_a_child_that_is_gone_is_passed_over() -> None:
    worker = LateWorker()
    children = Children(cast(Any, worker))
    assert children.wait(1.0) == []
    children.close()
    worker.close()
