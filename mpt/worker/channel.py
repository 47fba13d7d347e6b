"""Frames between a forked child and the parent outside the wall, over one socket that the child alone holds.

A frame is a big-endian 32-bit length and that many bytes: a head, `[nonce, cpu, kind, item]` as JSON, then any number
of texts, a newline between each. cpu: seconds the child has used. Kind 1 carries an item, 0 says that the child is
done. The nonce tells our frames
from what a program writes on every descriptor it finds; a program that digs it out can still lie about itself alone.
"""

from __future__ import annotations

import json
import os
import struct
import time
from typing import Any

_LENGTH = struct.Struct(">I")
_dumps = json.JSONEncoder(separators=(",", ":")).encode  # bound early: a program may replace what the module holds


class Channel:
    """The child's end. Blocking; a parent that is gone ends the child."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._nonce = ""
        self._limit = 1 << 20
        self._write = os.write
        self._cpu = time.process_time

    def request(self) -> dict[str, Any]:
        """Reads the one request: an object with the keys nonce, frame_bytes and what the task wants."""
        (length,) = _LENGTH.unpack(self._read(_LENGTH.size))
        request: dict[str, Any] = json.loads(self._read(length))
        self._nonce = _dumps(request.pop("nonce"))
        self._limit = request["frame_bytes"]
        return request

    def emit(self, item: object, *texts: str) -> None:
        """Sends one item, as JSON, and texts without newlines. Raises OverflowError where they are too long."""
        self._send("1," + _dumps(item), texts)

    def done(self) -> None:
        """Says that nothing more will come."""
        self._send("0,null", ())

    def _send(self, item: str, texts: tuple[str, ...]) -> None:
        head = "[" + self._nonce + "," + repr(self._cpu()) + "," + item + "]"
        payload = "\n".join((head, *texts)).encode("ascii")
        if len(payload) > self._limit:
            raise OverflowError(str(len(payload)) + " bytes")
        data = _LENGTH.pack(len(payload)) + payload
        while data:
            data = data[self._write(self._fd, data) :]

    def _read(self, size: int) -> bytes:
        parts = []
        while size:
            part = os.read(self._fd, min(size, 1 << 20))
            if not part:
                os._exit(0)
            parts.append(part)
            size -= len(part)
        return b"".join(parts)
