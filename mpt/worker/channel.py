"""What a child reads and writes: its one request, a file; its frames, over a pipe that the child alone holds.

The request's first line is a JSON object with the keys task, nonce, frame_bytes, memory_bytes, cpu_s and body, the last
being the task's own; further lines, if any, are the task's too, and come as `body["lines"]`.

A frame is a big-endian 32-bit length and that many bytes: `NONCE CPU ITEM`, then any number of texts, a newline before
each. CPU: microseconds the child has used. ITEM: JSON, or `done` when nothing more will come. The nonce tells our
frames from what a program writes on every descriptor it finds; a program that digs it out can still lie about itself
alone.
"""

from __future__ import annotations

import json
import os
import struct
import time
from typing import Any

from mpt.worker.codec import dumps

_LENGTH = struct.Struct(">I")
STALE_NS = 1_000_000
"""CPU time is asked of the kernel, which takes longer than many a call under check, no more often than this."""


class Channel:
    """The child's end. Blocking; calling it sends an item."""

    def __init__(self, request_fd: int, frames_fd: int) -> None:
        with open(request_fd, "rb") as file:
            head, _, rest = file.read().partition(b"\n")
        request: dict[str, Any] = json.loads(head)
        self.request = request
        if rest:
            request["body"]["lines"] = rest.decode("ascii").split("\n")
        self._nonce = request["nonce"] + " "
        self._limit = request["frame_bytes"]
        self._fd = frames_fd
        self._write, self._length = os.write, _LENGTH.pack
        self._now_ns, self._cpu_ns = time.monotonic_ns, time.process_time_ns
        self._cpu_us, self._stale_at = 0, 0

    def __call__(self, item: object) -> None:
        """Sends an item as JSON. Raises OverflowError where it is too long."""
        self.send(dumps(item))

    def send(self, item: str, *texts: str) -> None:
        """Sends an item that is JSON already, and texts without newlines. Raises OverflowError: they are too long."""
        now = self._now_ns()
        if now >= self._stale_at:
            self._cpu_us, self._stale_at = self._cpu_ns() // 1000, now + STALE_NS
        payload = "\n".join((f"{self._nonce}{self._cpu_us} {item}", *texts)).encode("ascii")
        if len(payload) > self._limit:
            raise OverflowError(str(len(payload)) + " bytes")
        data = self._length(len(payload)) + payload
        while data:
            data = data[self._write(self._fd, data) :]

    def done(self) -> None:
        """Says that nothing more will come."""
        self.send("done")
