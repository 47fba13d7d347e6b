"""A check's progress, from the worker's thread to the person, and a stop from the person to the worker."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Any

from lsprotocol import types

from mpt_server.client import Client
from mpt_server.jobs import Job

_EVERY_S = 0.1
"""At most one report in this time, the beginnings of phases apart."""

_PHASES = {
    "paraphrase": "rewording the description",
    "generate": "writing programs",
    "fuzz": "looking for inputs",
    "run": "running the programs",
    "judge": "comparing",
}


class Progress:
    """One progress bar. It appears with the first phase, so work that waits or is known already shows none."""

    def __init__(self, client: Client, title: str, cancel: Callable[[], None]) -> None:
        self._client = client
        self._title = title
        self._cancel = cancel
        self._loop = asyncio.get_running_loop()
        self._opening: asyncio.Task[types.ProgressToken | None] | None = None
        self._message = ""
        self._closed = False

    def post(self, message: str) -> None:
        """Shows `message`; called from any thread."""
        if not self._closed:  # else the loop may be gone
            self._loop.call_soon_threadsafe(self._show, message)

    def _show(self, message: str) -> None:
        self._message = message
        if self._closed:
            return
        if self._opening is None:
            self._opening = self._loop.create_task(self._open())
        elif self._opening.done() and (token := self._opening.result()) is not None:
            self._client.report_progress(token, message)

    async def _open(self) -> types.ProgressToken | None:
        token = await self._client.open_progress(self._title, self._cancel)
        if token is not None:
            self._client.report_progress(token, self._message)
        return token

    async def close(self, message: str) -> None:
        """Ends it with a last word; on the event loop."""
        self._closed = True
        token = await self._opening if self._opening else None
        if token is not None:
            self._client.close_progress(token, message)


class JobWatch:
    """`mpt.ports.Watch` of one job."""

    def __init__(self, job: Job[Any, Any], progress: Progress) -> None:
        self._job = job
        self._progress = progress
        self._lock = threading.Lock()
        self._phase, self._total, self._done = "", 0, 0
        self._posted = 0.0

    def phase(self, name: str, total: int) -> None:
        with self._lock:
            self._phase, self._total, self._done = name, total, 0
            self._post()

    def advance(self, steps: int = 1) -> None:
        with self._lock:
            self._done += steps
            if time.monotonic() - self._posted >= _EVERY_S:
                self._post()

    def check(self) -> None:
        self._job.check()

    def _post(self) -> None:
        self._posted = time.monotonic()
        message = _PHASES.get(self._phase, self._phase)
        self._progress.post(f"{message} {self._done}/{self._total}" if self._total else message)
