"""mpt-server: the language server over stdin and stdout.

Rule 1: stdout carries the protocol and nothing else. Whatever prints, also in C or in a child, reaches stderr.
Rule 2: the process ends when its client does, however that ends, and leaves nothing running.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import os
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import BinaryIO

from pygls.io_ import run_async

from mpt import __version__
from mpt_server import parent
from mpt_server.engine import Engine, real
from mpt_server.server import Server, create_server
from mpt_server.stdin import reader_of

logger = logging.getLogger(__name__)

_CLOSING_S = 5.0
"""Seconds for everything to end by itself."""

_SWITCH_S = 0.001
"""So long a thread that reads a document may keep the one that answers waiting."""


def main(argv: Sequence[str] | None = None) -> None:
    """The command. Does not return: a thread that does not heed a stop must not keep the process."""
    arguments = _arguments(argv)
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    os._exit(asyncio.run(serve(real(arguments.replay, arguments.record))))


async def serve(engine: Engine) -> int:
    """Serves one client until it is gone. The exit code: 0 after shutdown and exit, 1 else."""
    sys.setswitchinterval(_SWITCH_S)
    stdin, stdout = _private_stdio()
    server = create_server(engine)
    protocol = server.protocol
    reader = await reader_of(stdin, stdout, server.thread_pool)
    reading = asyncio.ensure_future(
        run_async(protocol.stop_reading, reader, protocol, logger, server.report_server_error)
    )
    protocol.set_writer(_Output(stdout, reading.cancel))
    orphaned = asyncio.ensure_future(_orphaned(server))
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):  # Windows: there they end us at once
            asyncio.get_running_loop().add_signal_handler(number, reading.cancel)
    await asyncio.wait((reading, orphaned), return_when=asyncio.FIRST_COMPLETED)
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(server.close(), _CLOSING_S)
    return protocol.exit_code


async def _orphaned(server: Server) -> None:
    """Returns when the process that needs us is gone: the one the client names; until it does, the one that started us.

    A named process that we cannot see (the client is in another container) is not waited for.
    """
    starter = asyncio.ensure_future(parent.gone(os.getppid()))
    named = asyncio.ensure_future(server.initialized.wait())
    await asyncio.wait((starter, named), return_when=asyncio.FIRST_COMPLETED)
    if named.done() and server.process_id is None:
        await asyncio.Event().wait()
    elif named.done() and server.process_id is not None and parent.alive(server.process_id):
        await parent.gone(server.process_id)
    await starter


class _Output:
    """stdout; `broken` is called where nobody reads it any more."""

    def __init__(self, stdout: BinaryIO, broken: Callable[[], object]) -> None:
        self._stdout = stdout
        self._broken = broken

    def write(self, data: bytes) -> None:
        try:
            self._stdout.write(data)
            self._stdout.flush()
        except (OSError, ValueError):
            self._broken()

    def close(self) -> None:
        self._stdout.close()


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="mpt-server", description="The language server of mpt, over stdio.")
    parser.add_argument("--version", action="version", version=f"mpt-server {__version__}")
    parser.add_argument("--stdio", action="store_true", help="for editors that say so; there is no other way")
    parser.add_argument("--replay", type=Path, metavar="DIR", help="answer from a recording; no model is asked")
    parser.add_argument("--record", type=Path, metavar="DIR", help="record every reply")
    return parser.parse_args(argv)


def _private_stdio() -> tuple[BinaryIO, BinaryIO]:
    """stdin and stdout for the protocol alone: what else reads finds nothing, what else prints goes to stderr."""
    stdin, stdout = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return stdin, stdout


if __name__ == "__main__":
    main()
