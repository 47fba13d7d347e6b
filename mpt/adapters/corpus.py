"""What a function's inputs were last time is where an engine starts the next time: its stored corpus.

A function is known by its name and its parameters, so a corpus outlives edits of the body. Both engines share it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from mpt.adapters.kept_calls import inputs_text, read_inputs
from mpt.keys import corpus_key
from mpt.ports import Fuzzer, Store, Watch
from mpt.values import Arguments, Campaign, FuzzBudget


@dataclass(frozen=True, slots=True)
class ResumingFuzzer:
    """Starts the engine from what the store holds for the function, and keeps there what it found."""

    engine: Fuzzer
    store: Store

    @property
    def name(self) -> str:
        return self.engine.name

    def fuzz(self, campaign: Campaign, budget: FuzzBudget, watch: Watch) -> tuple[Arguments, ...]:
        """See mpt.ports.Fuzzer."""
        key = corpus_key(campaign.target.entry_point, campaign.parameters)
        text = self.store.get("corpus", key)
        corpus = read_inputs(text, "corpus", key) if text is not None else ()
        found = self.engine.fuzz(replace(campaign, corpus=corpus), budget, watch)
        if found and (campaign.others or not corpus):  # a trial of the target alone takes the place of nothing
            self.store.put("corpus", key, inputs_text(found))
        return found
