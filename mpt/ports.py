"""What the engine needs from the outside, as small protocols. Adapters implement them; `wiring` chooses.

Ports take batches, so that concurrency lives in the adapters. Every adapter asks `watch.check()` often enough
that a person who says stop is obeyed within a second.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Protocol

from mpt.values import (
    Arguments,
    Campaign,
    ForeignType,
    FuzzBudget,
    Importing,
    Limits,
    Module,
    Outcome,
    Program,
    Reply,
    Request,
    Run,
)


class Watch(Protocol):
    """Progress out, cancel in. Called from any thread."""

    def phase(self, name: str, total: int) -> None:
        """A phase begins ("paraphrase", "generate", "fuzz", "run", "judge"); `total` steps, 0 if not known."""

    def advance(self, steps: int = 1) -> None:
        """So many steps of the phase are done."""

    def check(self) -> None:
        """Raises Cancelled where the person said stop."""


class LanguageModel(Protocol):
    """Answers chat requests."""

    @property
    def name(self) -> str:
        """What the replies depend on: a remote model's name, an embedded model's file hash. Part of every key."""

    def complete(self, requests: Sequence[Request], watch: Watch) -> tuple[Reply, ...]:
        """One reply a request, in order; `watch.advance()` once for each.

        Raises ModelError (or its children) when any could not be had, after what did come was kept; Cancelled.
        """

    def close(self) -> None:
        """Stops whatever was started. Safe to call twice."""


class Sandbox(Protocol):
    """Runs programs nobody has read, behind a wall."""

    @property
    def name(self) -> str:
        """Which wall: "bubblewrap", "none"."""

    def run(
        self, programs: Sequence[Program], inputs: Sequence[Arguments], limits: Limits, watch: Watch
    ) -> tuple[tuple[Outcome, ...], ...]:
        """`outcomes[p][i]`: each program in a process of its own; `watch.advance()` once a program.

        A program that occurs twice runs the second time under another hash seed and seed of `random`, so that one
        that depends on them disagrees with itself.
        A program that cannot be loaded is Stopped("load", why) on every input. Raises SandboxError only for our
        own failure (wall or worker broken, twice); Cancelled.
        """

    def runs(
        self, programs: Sequence[Program], inputs: Sequence[Arguments], limits: Limits, watch: Watch
    ) -> tuple[Run, ...]:
        """`run`, with what each program printed."""

    def imported(self, module: Module, limits: Limits, watch: Watch) -> Importing:
        """Imports the module, where programs with a place in it will find it; once for the same text.

        Never an exception for what the module does. Raises SandboxError, Cancelled.
        """

    def close(self) -> None:
        """Ends every process it started. Safe to call twice."""


class Fuzzer(Protocol):
    """Makes inputs by coverage-guided fuzzing of the target (paper §3.2), inside the wall."""

    @property
    def name(self) -> str:
        """Which engine: "afl", "loop". Part of the key of its inputs."""

    def fuzz(self, campaign: Campaign, budget: FuzzBudget, watch: Watch) -> tuple[Arguments, ...]:
        """Up to `budget.inputs` distinct new inputs (origin "fuzzed"), best first; none of them among the seeds.

        Raises FuzzerError where the engine is missing or broke; SandboxError; Cancelled.
        """


class Store(Protocol):
    """Keeps texts under (kind, key). Safe for several threads and processes at once.

    Kinds in use: "reply", "inputs", "corpus", "consent", "spent"; the language server has its own besides.
    Raises StoreError.
    """

    def get(self, kind: str, key: str) -> str | None:
        """What is kept there, or None."""

    def put(self, kind: str, key: str, text: str) -> None:
        """Keeps it, in place of what was there."""

    def add(self, kind: str, key: str, amount: int, ceiling: int) -> bool:
        """Adds to a counter in one step unless that would pass `ceiling`: then nothing changes and it is False."""

    def close(self) -> None:
        """Safe to call twice."""


@dataclass(frozen=True, slots=True)
class Tools:
    """One implementation of each port, as `wiring` chose them. Shared by checks in several threads.

    model: the language model as one check sees it, with a count of calls of its own.
    fuzzers: in the order to try them; a later one fills up what an earlier one left wanting.
    clock: seconds that only grow, for what a check costs.
    closing: what ends everything that was started; called once, last opened first.
    types: of other packages, as plugins tell of them. problems: of plugins that cannot be used, a line each.
    """

    model: Callable[[], LanguageModel]
    sandbox: Sandbox
    fuzzers: tuple[Fuzzer, ...]
    store: Store
    clock: Callable[[], float]
    closing: tuple[Callable[[], None], ...] = ()
    types: tuple[ForeignType, ...] = ()
    problems: tuple[str, ...] = ()

    def close(self) -> None:
        """Ends everything, also where ending one thing fails."""
        with ExitStack() as stack:
            for close in self.closing:
                stack.callback(close)
