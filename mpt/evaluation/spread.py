"""Where the work of a run is done: here, in processes of this machine, or on a Dask cluster.

A job is a value and its work a function of it, so the same jobs give the same lines in the same order everywhere.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

from mpt.errors import UsageError

J = TypeVar("J")
R = TypeVar("R")

AHEAD = 4
"""Jobs handed out for each worker, so that none waits for its next."""


class Spread:
    """`executor` None: in this very process, one job after the other."""

    def __init__(self, executor: Executor | None, workers: int) -> None:
        self._executor = executor
        self._ahead = AHEAD * workers

    def map(self, work: Callable[[J], R], jobs: Iterable[J]) -> Iterator[R]:
        """The answers in the order of the jobs. An exception of the work is raised in its place."""
        if self._executor is None:
            yield from map(work, jobs)
            return
        waiting: deque[Future[R]] = deque()
        try:
            for job in jobs:
                waiting.append(self._executor.submit(work, job))
                if len(waiting) >= self._ahead:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


@contextlib.contextmanager
def open_spread(processes: int = 1, scheduler: str | None = None) -> Iterator[Spread]:
    """Raises UsageError for an address that is neither loopback nor TLS, or without Dask or a scheduler there."""
    if scheduler is not None:
        with _cluster(scheduler) as spread:
            yield spread
    elif processes == 1:
        yield Spread(None, 1)
    else:
        context, parent = get_context("spawn"), (os.getpid(),)
        with ProcessPoolExecutor(processes, context, initializer=_end_with, initargs=parent) as pool:
            try:
                yield Spread(pool, processes)
            finally:
                pool.shutdown(wait=False, cancel_futures=True)


def _end_with(parent: int) -> None:
    """A worker waits for work for ever, also where its parent was killed: from now on it looks."""

    def look() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=look, name="parent", daemon=True).start()


_LOOPBACK = ("tcp://127.", "tcp://localhost:", "tcp://[::1]:", "tls://", "inproc://")


@contextlib.contextmanager
def _cluster(scheduler: str) -> Iterator[Spread]:
    address = scheduler if "://" in scheduler else f"tcp://{scheduler}"
    if not address.startswith(_LOOPBACK):
        raise UsageError(f"{scheduler}: Dask sends pickles, so only loopback or tls:// addresses are used")
    try:
        from distributed import Client
    except ImportError:
        raise UsageError("Dask is not installed: pip install distributed") from None
    try:
        client = Client(address, timeout=10, set_as_default=False)
    except (OSError, ValueError) as error:
        raise UsageError(f"{scheduler}: no Dask scheduler answers there ({error})") from None
    with client:
        workers = sum(client.nthreads().values())
        yield Spread(client.get_executor(pure=False), max(1, workers))
