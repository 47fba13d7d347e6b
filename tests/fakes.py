"""Fakes of the ports, for tests of what stands above them. Each real adapter has tests of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from mpt.errors import Cancelled
from mpt.values import (
    Arguments,
    Campaign,
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


@dataclass
class FakeWatch:
    """Records the phases; raises Cancelled from the n-th check on."""

    cancel_at: int | None = None
    phases: list[tuple[str, int]] = field(default_factory=list)
    steps: int = 0
    checks: int = 0

    def phase(self, name: str, total: int) -> None:
        self.phases.append((name, total))

    def advance(self, steps: int = 1) -> None:
        self.steps += steps

    def check(self) -> None:
        self.checks += 1
        if self.cancel_at is not None and self.checks >= self.cancel_at:
            raise Cancelled("stopped")


@dataclass
class FakeModel:
    """Answers by a function of the request; counts what it was asked."""

    answer: Callable[[Request], str]
    name: str = "fake"
    asked: list[Request] = field(default_factory=list)
    closed: bool = False

    def complete(self, requests: Sequence[Request], watch: object) -> tuple[Reply, ...]:
        self.asked.extend(requests)
        return tuple(Reply(self.answer(request), 10, 20) for request in requests)

    def close(self) -> None:
        self.closed = True


@dataclass
class FakeSandbox:
    """Outcomes by a function of program and input; nothing runs."""

    outcome: Callable[[Program, Arguments], Outcome]
    name: str = "fake"
    printed: str = ""

    def run(
        self, programs: Sequence[Program], inputs: Sequence[Arguments], limits: Limits, watch: object
    ) -> tuple[tuple[Outcome, ...], ...]:
        return tuple(run.outcomes for run in self.runs(programs, inputs, limits, watch))

    def runs(
        self, programs: Sequence[Program], inputs: Sequence[Arguments], limits: Limits, watch: object
    ) -> tuple[Run, ...]:
        return tuple(Run(tuple(self.outcome(program, one) for one in inputs), self.printed) for program in programs)

    def imported(self, module: Module, limits: Limits, watch: object) -> Importing:
        return Importing()

    def close(self) -> None: ...


@dataclass
class FakeFuzzer:
    """Hands out what it was given."""

    found: tuple[Arguments, ...] = ()
    name: str = "fake"

    def fuzz(self, campaign: Campaign, budget: FuzzBudget, watch: object) -> tuple[Arguments, ...]:
        return tuple(found for found in self.found if found not in campaign.seeds)[: budget.inputs]


@dataclass
class FakeStore:
    """A dictionary."""

    kept: dict[tuple[str, str], str] = field(default_factory=dict)
    counters: dict[tuple[str, str], int] = field(default_factory=dict)

    def get(self, kind: str, key: str) -> str | None:
        return self.kept.get((kind, key))

    def put(self, kind: str, key: str, text: str) -> None:
        self.kept[kind, key] = text

    def add(self, kind: str, key: str, amount: int, ceiling: int) -> bool:
        total = self.counters.get((kind, key), 0) + amount
        if total > ceiling:
            return False
        self.counters[kind, key] = total
        return True

    def close(self) -> None: ...


def outcomes_by_source(table: Mapping[str, Callable[[Arguments], Outcome]]) -> Callable[[Program, Arguments], Outcome]:
    """For FakeSandbox: which function stands for which program's source."""
    return lambda program, arguments: table[program.source](arguments)
