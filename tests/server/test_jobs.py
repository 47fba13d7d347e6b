"""Jobs: one a key, superseding, cancellable, so many at a time."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator

import pytest

from mpt.errors import Cancelled
from mpt_server.jobs import Job, Jobs


@pytest.fixture
async def jobs() -> AsyncIterator[Jobs[str, str]]:
    made: Jobs[str, str] = Jobs(limit=1)
    yield made
    made.close()


class Gate:
    """Work that waits to be let through."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.open = threading.Event()
        self.tags: list[str] = []

    def work(self, job: Job[str, str]) -> str:
        self.tags.append(job.tag)
        self.begun.set()
        while not self.open.wait(0.005):
            job.check()
        return job.tag


async def begun(gate: Gate) -> None:
    await asyncio.to_thread(gate.begun.wait, 30)


async def test_a_job_gives_its_result_and_is_forgotten(jobs: Jobs[str, str]) -> None:
    assert await jobs.start("f", "1", lambda job: job.tag).done == "1"
    assert jobs.get("f") is None


async def test_an_error_is_the_jobs(jobs: Jobs[str, str]) -> None:
    def fails(job: Job[str, str]) -> str:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await jobs.start("f", "1", fails).done


async def test_the_same_tag_is_the_same_job(jobs: Jobs[str, str]) -> None:
    gate = Gate()
    first = jobs.start("f", "1", gate.work)
    assert jobs.start("f", "1", gate.work) is first
    gate.open.set()
    assert await first.done == "1"
    assert gate.tags == ["1"]


async def test_another_tag_supersedes(jobs: Jobs[str, str]) -> None:
    gate = Gate()
    first = jobs.start("f", "1", gate.work)
    await begun(gate)
    second = jobs.start("f", "2", lambda job: job.tag)
    assert first.done.cancelled()
    assert await second.done == "2"
    with pytest.raises(Cancelled):
        first.check()


async def test_at_most_limit_run_and_the_smallest_rank_is_next() -> None:
    ranks = {"a": 2, "b": 1, "c": 0}
    jobs: Jobs[str, str] = Jobs(limit=1, rank=lambda job: ranks[job.key])
    gate = Gate()
    waiting = [jobs.start(key, key, gate.work) for key in "abc"]
    await begun(gate)
    gate.open.set()
    await asyncio.gather(*(job.done for job in waiting))
    assert gate.tags == ["a", "c", "b"]
    jobs.close()


async def test_a_waiting_job_that_is_cancelled_never_runs(jobs: Jobs[str, str]) -> None:
    gate, never = Gate(), Gate()
    first = jobs.start("a", "a", gate.work)
    await begun(gate)
    second = jobs.start("b", "b", never.work)
    jobs.cancel("b")
    gate.open.set()
    await first.done
    assert second.done.cancelled()
    assert await jobs.start("c", "c", lambda job: job.tag).done == "c"
    assert never.tags == []


async def test_a_result_after_the_cancel_is_dropped(jobs: Jobs[str, str]) -> None:
    gate = Gate()

    def stubborn(job: Job[str, str]) -> str:
        gate.begun.set()
        gate.open.wait(30)
        return "late"

    job = jobs.start("f", "1", stubborn)
    await begun(gate)
    jobs.cancel("f")
    gate.open.set()
    assert await jobs.start("g", "1", lambda job: job.tag).done == "1"
    assert job.done.cancelled()


async def test_a_stubborn_job_still_counts_against_the_limit(jobs: Jobs[str, str]) -> None:
    gate = Gate()

    def stubborn(job: Job[str, str]) -> str:
        gate.begun.set()
        gate.open.wait(30)
        return "late"

    jobs.start("f", "1", stubborn)
    await begun(gate)
    jobs.cancel("f")
    second = jobs.start("f", "2", lambda job: job.tag)
    assert not second.started
    gate.open.set()
    assert await second.done == "2"
