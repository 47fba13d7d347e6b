"""The in-process coverage loop as a Fuzzer: fast, the same on every run, wherever the sandbox's interpreter is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from mpt.adapters.fuzzing import Harvest, calls, specification
from mpt.ports import Watch
from mpt.values import Arguments, Campaign, FuzzBudget, Limits, Module, Stopped

CALL_S = 0.1
"""CPU seconds of one call before the alarm inside ends it."""
STRETCH_S = 0.4
"""CPU seconds without word before the worker's child is ended from outside: the alarm did not help."""
ATTEMPTS = 5
"""So often a target is started; the last time it goes only as far as where it was stuck the time before."""


class Tasks(Protocol):
    """What the loop needs of a sandbox."""

    def call(
        self,
        task: str,
        request: Mapping[str, object],
        limits: Limits,
        watch: Watch,
        module: Module | None = None,
    ) -> Iterator[object]:
        """Runs `mpt.worker.<task>` in a confined child; what it emits, then a Stopped where it was ended."""


@dataclass(frozen=True, slots=True)
class LoopFuzzer:
    """See mpt.worker.loop."""

    sandbox: Tasks

    @property
    def name(self) -> str:
        return "loop"

    def fuzz(self, campaign: Campaign, budget: FuzzBudget, watch: Watch) -> tuple[Arguments, ...]:
        """See mpt.ports.Fuzzer. A target that cannot be loaded gives no inputs: running it will say why."""
        target, parameters = campaign.target, campaign.parameters
        excluded: list[int] = []
        executions = careful = budget.executions
        for attempt in range(ATTEMPTS):
            if attempt == ATTEMPTS - 1:
                executions = careful
            request = {
                "source": target.source,
                "entry_point": target.entry_point,
                **({"place": [target.place.name, target.place.kind]} if target.place else {}),
                "others": [other.source for other in campaign.others],
                "precondition": campaign.precondition.source if campaign.precondition else "",
                "parameters": specification(parameters),
                "seeds": calls(campaign.seeds),
                "corpus": calls(campaign.corpus),
                "inputs": budget.inputs,
                "executions": executions,
                "seed": budget.seed,
                "call_s": CALL_S,
                "excluded": excluded,
                "careful": careful,
            }
            harvest = Harvest(parameters, campaign.seeds, self.name)
            stuck_at = self._attempt(request, harvest, watch, target.place.module if target.place else None)
            if stuck_at is None:
                if not len(harvest) and (target.place is not None or not parameters):
                    harvest.add_bytes(b"")  # the plainest arguments: running them says why none will do
                return harvest.best(budget.inputs)
            if stuck_at >= careful:  # announced one by one: this very execution
                excluded.append(stuck_at)
            careful = stuck_at
        return ()

    def _attempt(
        self, request: Mapping[str, object], harvest: Harvest, watch: Watch, module: Module | None
    ) -> int | None:
        """Runs the loop once. The execution announced last, where the child did not come to its end."""
        limits = replace(Limits(), input_s=STRETCH_S, program_s=3600.0)
        at = 0
        for item in self.sandbox.call("loop", request, limits, watch, module):
            match item:
                case ["at", int(number)]:
                    at = number
                case ["input", positional, keyword]:
                    harvest.add_call(positional, keyword)
                case Stopped():
                    return at
        return None
