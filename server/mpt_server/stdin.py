"""Reading what the client says: on the event loop, where the system can tell when there is something.

A thread that waits for each line costs three handovers a message; on a busy machine each of them takes milliseconds.
"""

from __future__ import annotations

import asyncio
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import BinaryIO

from pygls.io_ import StdinAsyncReader

LIMIT = 1 << 20
"""Bytes that are read ahead; a message may be longer."""


async def reader_of(stdin: BinaryIO, stdout: BinaryIO, threads: ThreadPoolExecutor) -> Reader | StdinAsyncReader:
    """A thread reads a regular file, a terminal or a socket that is stdout, too, and everything on Windows.

    On the event loop stdin does not block; what stdout shares with it would not either, and lose what we say.
    """
    if sys.platform == "win32" or os.path.sameopenfile(stdin.fileno(), stdout.fileno()):
        return StdinAsyncReader(stdin, threads)
    stream = asyncio.StreamReader(limit=LIMIT)
    try:
        await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(stream), stdin)
    except ValueError:
        return StdinAsyncReader(stdin, threads)
    return Reader(stream)


class Reader:
    """What pygls reads messages from. Nothing, as at the end, where the stream ends early or holds no header."""

    def __init__(self, stream: asyncio.StreamReader) -> None:
        self._stream = stream

    async def readline(self) -> bytes:
        try:
            return await self._stream.readline()
        except ValueError:  # longer than any header
            return b""

    async def readexactly(self, n: int) -> bytes:
        """Others have their turn after each message, however many are waiting."""
        await asyncio.sleep(0)
        try:
            return await self._stream.readexactly(n)
        except asyncio.IncompleteReadError:
            return b""
