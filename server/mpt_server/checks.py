"""The checks under way, and what becomes of them.

Rule 1: a function has one check at a time, known by its document, name and ordinal. A newer text of it supersedes it.
Rule 2: what a check found is kept under the fingerprint of the text it was about, whatever became of the document.
Rule 3: what went wrong on our side is said once, and never shown as a verdict.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable

from lsprotocol import types

from mpt.errors import MptError
from mpt.reporting import lines
from mpt.values import Report
from mpt_server.client import Client
from mpt_server.engine import Engine, Toolbox
from mpt_server.jobs import Job, Jobs
from mpt_server.progress import JobWatch, Progress
from mpt_server.settings import Effective
from mpt_server.verdicts import Reports
from mpt_server.views import Found

logger = logging.getLogger(__name__)

Key = tuple[str, str, int]
"""Canonical URI, qualified name, ordinal."""


class Checks:
    """settled: called with the URI when one of its checks has ended, however it did.

    rank: of the checks that wait, the one with the smallest rank starts first.
    """

    def __init__(
        self,
        client: Client,
        engine: Engine,
        reports: Reports,
        settled: Callable[[str], None],
        rank: Callable[[Key], int],
    ) -> None:
        self._client = client
        self._engine = engine
        self._reports = reports
        self._settled = settled
        self._tools = Toolbox(engine)
        self._jobs: Jobs[Key, Report] = Jobs(limit=2, rank=lambda job: rank(job.key))
        self._followers: set[asyncio.Task[None]] = set()

    def start(self, uri: str, found: Found, effective: Effective) -> None:
        """Checks one function, unless that very text of it is being checked already."""
        if self.running(uri, found):
            return
        self._jobs.limit = effective.server.concurrent_checks
        key: Key = (uri, *found.identity)
        progress = Progress(self._client, f"mpt: {found.function.name}", lambda: self._jobs.cancel(key))
        job = self._jobs.start(key, found.key, lambda job: self._check(job, found, effective, progress))
        follower = asyncio.ensure_future(self._follow(uri, job, progress))
        self._followers.add(follower)
        follower.add_done_callback(self._followers.discard)

    def running(self, uri: str, found: Found) -> bool:
        job = self._jobs.get((uri, *found.identity))
        return job is not None and job.tag == found.key

    def keep_only(self, uri: str, found: Iterable[Found]) -> None:
        """Ends the checks of a document's functions that no longer stand there as they were checked."""
        present = {((uri, *one.identity), one.key) for one in found}
        for job in self._jobs:
            if job.key[0] == uri and (job.key, job.tag) not in present:
                self._jobs.cancel(job.key)

    def stop(self) -> None:
        """Ends them all."""
        for job in self._jobs:
            self._jobs.cancel(job.key)

    async def close(self) -> None:
        """Ends them all, and every process that was started for them."""
        self._jobs.close()
        await asyncio.to_thread(self._tools.close)

    def _check(self, job: Job[Key, Report], found: Found, effective: Effective, progress: Progress) -> Report:
        """In the worker's thread."""
        tools = self._tools.get(effective.settings)
        report = self._engine.check(found.function, tools, effective.settings, JobWatch(job, progress))
        job.check()
        self._reports.put(found.key, report)
        return report

    async def _follow(self, uri: str, job: Job[Key, Report], progress: Progress) -> None:
        """Waits for a check's end and tells of it."""
        try:
            report = await asyncio.shield(job.done)
        except asyncio.CancelledError:
            ending = "stopped"
        except MptError as error:
            ending = str(error)
            self._client.tell_once(f"mpt: {error}")
        except Exception as error:
            ending = "failed"
            logger.exception("the check of %s failed", job.key)
            self._client.tell_once(f"mpt: the check of {job.key[1]} failed: {error!r}", types.MessageType.Error)
        else:
            ending = f"{lines.in_short(report)} ({lines.cost(report.spent)})"
        self._settled(uri)
        await progress.close(ending)
