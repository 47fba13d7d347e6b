"""What a function's inputs were last time is where an engine starts the next time: its stored corpus.

A function is known by its name and its parameters, so a corpus outlives edits of the body. Both engines share it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from mpt.adapters.kept_calls import inputs_text, read_inputs
from mpt.keys import corpus_key
from mpt.ports import Store, Watch
from mpt.values import Arguments, FuzzBudget, Parameter, Program


class Engine(Protocol):
    """A Fuzzer that can start from earlier finds."""

    @property
    def name(self) -> str: ...

    def fuzz(
        self,
        target: Program,
        parameters: Sequence[Parameter],
        seeds: Sequence[Arguments],
        budget: FuzzBudget,
        watch: Watch,
        others: Sequence[Program] = (),
        precondition: Program | None = None,
        corpus: Sequence[Arguments] = (),
    ) -> tuple[Arguments, ...]:
        """As mpt.ports.Fuzzer. corpus: tried first, and handed out where they are still among the best."""


@dataclass(frozen=True, slots=True)
class ResumingFuzzer:
    """Starts the engine from what the store holds for the function, and keeps there what it found."""

    engine: Engine
    store: Store

    @property
    def name(self) -> str:
        return self.engine.name

    def fuzz(
        self,
        target: Program,
        parameters: Sequence[Parameter],
        seeds: Sequence[Arguments],
        budget: FuzzBudget,
        watch: Watch,
        others: Sequence[Program] = (),
        precondition: Program | None = None,
    ) -> tuple[Arguments, ...]:
        """See mpt.ports.Fuzzer."""
        key = corpus_key(target.entry_point, parameters)
        text = self.store.get("corpus", key)
        corpus = read_inputs(text, "corpus", key) if text is not None else ()
        found = self.engine.fuzz(target, parameters, seeds, budget, watch, others, precondition, corpus)
        if found:
            self.store.put("corpus", key, inputs_text(found))
        return found
