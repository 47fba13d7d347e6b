"""Long work off the event loop: one job a key, superseding, cancellable, so many at a time.

Rule 1: everything but `work` itself happens on the event loop's thread.
Rule 2: a key has one job. The same tag again changes nothing; another tag cancels the older job and takes its place.
Rule 3: a cancelled job's result is dropped, whatever it turns out to be. Its thread is left as soon as it next asks.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from mpt.errors import Cancelled

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


@dataclass(eq=False)
class Job(Generic[K, T]):
    """One piece of work. `done` holds its result; a cancelled job's `done` is cancelled.

    tag: what the work is about (a function's fingerprint), to tell it from newer work under the same key.
    """

    key: K
    tag: str
    work: Callable[[Job[K, T]], T]
    done: asyncio.Future[T]
    stop: threading.Event = field(default_factory=threading.Event)
    started: bool = False

    def cancel(self) -> None:
        self.stop.set()
        self.done.cancel()

    def check(self) -> None:
        """Raises Cancelled where the job was cancelled; called from the worker's thread."""
        if self.stop.is_set():
            raise Cancelled("stopped")


class Jobs(Generic[K, T]):
    """Runs jobs in threads of its own, at most `limit` at a time.

    rank: of those that wait, the job with the smallest rank starts first; the oldest of equals.
    """

    def __init__(self, limit: int, rank: Callable[[Job[K, T]], int] = lambda job: 0) -> None:
        self.limit = limit
        self._rank = rank
        self._jobs: dict[K, Job[K, T]] = {}
        self._running = 0
        self._executor = ThreadPoolExecutor(max_workers=64, thread_name_prefix="mpt-check")

    def __iter__(self) -> Iterator[Job[K, T]]:
        return iter(tuple(self._jobs.values()))

    def get(self, key: K) -> Job[K, T] | None:
        return self._jobs.get(key)

    def start(self, key: K, tag: str, work: Callable[[Job[K, T]], T]) -> Job[K, T]:
        """The key's job for `tag`: the one there is, or a new one."""
        present = self._jobs.get(key)
        if present and present.tag == tag:
            return present
        if present:
            self.cancel(key)
        job = Job(key, tag, work, asyncio.get_running_loop().create_future())
        job.done.add_done_callback(lambda _: self._forget(job))
        self._jobs[key] = job
        self._fill()
        return job

    def cancel(self, key: K) -> None:
        job = self._jobs.pop(key, None)
        if job:
            job.cancel()

    def close(self) -> None:
        """Cancels all; does not wait for threads that have not noticed yet."""
        for job in self:
            self.cancel(job.key)
        self._executor.shutdown(wait=False, cancel_futures=True)

    def _fill(self) -> None:
        while self._running < self.limit:
            waiting = [job for job in self if not job.started]
            if not waiting:
                return
            self._launch(min(waiting, key=self._rank))

    def _launch(self, job: Job[K, T]) -> None:
        job.started = True
        self._running += 1
        thread = asyncio.get_running_loop().run_in_executor(self._executor, self._run, job)
        thread.add_done_callback(lambda future: self._landed(job, future))

    @staticmethod
    def _run(job: Job[K, T]) -> T:
        job.check()
        return job.work(job)

    def _landed(self, job: Job[K, T], thread: asyncio.Future[T]) -> None:
        self._running -= 1
        error = asyncio.CancelledError() if thread.cancelled() else thread.exception()
        if not job.done.done():
            if isinstance(error, Cancelled | asyncio.CancelledError):
                job.done.cancel()
            elif error:
                job.done.set_exception(error)
            else:
                job.done.set_result(thread.result())
        self._fill()

    def _forget(self, job: Job[K, T]) -> None:
        if self._jobs.get(job.key) is job:
            del self._jobs[job.key]
