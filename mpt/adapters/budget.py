"""The person's hard limits of language model calls, a check and a day, and what was spent today."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime

from mpt.adapters.arrivals import Arrivals, Replies, gather
from mpt.errors import BudgetExceeded
from mpt.ports import Store, Watch
from mpt.values import Reply, Request

_NO_CEILING = 1 << 62


def utc_today() -> str:
    """The calendar day the day's limit is for, as in "2026-01-31"."""
    return datetime.now(UTC).date().isoformat()


@dataclass(frozen=True, slots=True)
class DaySpent:
    """What was asked for on one day; `calls` counts also those that failed."""

    calls: int
    tokens: int


def spent_on(store: Store, day: str) -> DaySpent:
    return DaySpent(int(store.get("spent", f"{day}.calls") or 0), int(store.get("spent", f"{day}.tokens") or 0))


class BudgetedModel:
    """One check's way to a model: counts what will be asked before anything is sent.

    Make one for each check, inside that check's KeptModel, so that what is kept costs nothing. A batch that does not
    fit is refused whole. Repetitions by the SDK are part of the call they repeat.
    """

    def __init__(
        self, inner: Arrivals, store: Store, per_check: int, per_day: int, today: Callable[[], str] = utc_today
    ) -> None:
        self._inner = inner
        self._store = store
        self._per_check = per_check
        self._per_day = per_day
        self._today = today
        self._asked = 0

    @property
    def name(self) -> str:
        return self._inner.name

    def complete(self, requests: Sequence[Request], watch: Watch) -> tuple[Reply, ...]:
        return gather(self.arrivals(requests, watch), len(requests), watch)

    def arrivals(self, requests: Sequence[Request], watch: Watch) -> Replies:
        """Raises BudgetExceeded before anything is sent."""
        day = self._today()
        self._count(len(requests), day)
        with closing(self._inner.arrivals(requests, watch)) as replies:
            for index, reply in replies:
                tokens = reply.prompt_tokens + reply.completion_tokens
                self._store.add("spent", f"{day}.tokens", tokens, _NO_CEILING)
                yield index, reply

    def close(self) -> None:
        self._inner.close()

    def _count(self, calls: int, day: str) -> None:
        if self._asked + calls > self._per_check:
            raise BudgetExceeded(
                f"this check would make {self._asked + calls} language model calls and may make {self._per_check}: "
                "nothing more was sent; max_calls_per_check raises the limit"
            )
        if not self._store.add("spent", f"{day}.calls", calls, self._per_day):
            already = spent_on(self._store, day).calls
            raise BudgetExceeded(
                f"{already} of {self._per_day} language model calls are spent today and {calls} more are wanted: "
                "nothing more was sent; max_calls_per_day raises the limit"
            )
        self._asked += calls
