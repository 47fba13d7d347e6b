"""How the model adapters stand on one another: replies are handed on one by one, as they arrive.

    KeptModel ─► BudgetedModel ─► OpenAIModel | EmbeddedModel

So what did come is kept even where a later reply fails or the person says stop.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing
from typing import Protocol

from mpt.ports import Watch
from mpt.values import Reply, Request

Replies = Generator[tuple[int, Reply], None, None]
"""(index of the request, its reply), in the order of arrival. Closing it abandons what is in flight."""


class Arrivals(Protocol):
    """A language model that hands on each reply as it arrives."""

    @property
    def name(self) -> str:
        """As `LanguageModel.name`."""

    def arrivals(self, requests: Sequence[Request], watch: Watch) -> Replies:
        """Raises ModelError after everything that did come was handed on; Cancelled."""

    def close(self) -> None:
        """As `LanguageModel.close`."""


def gather(replies: Replies, count: int, watch: Watch) -> tuple[Reply, ...]:
    """All `count` replies in the order of their requests; one step of progress each."""
    arrived: dict[int, Reply] = {}
    with closing(replies):
        for index, reply in replies:
            arrived[index] = reply
            watch.advance()
            watch.check()
    return tuple(arrived[index] for index in range(count))
