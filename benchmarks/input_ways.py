"""Our ways of making inputs, whole and with parts left out. None sees a test, a contract or a right program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

from kill_pairs import Pair

from mpt.adapters.afl_fuzzer import AflFuzzer
from mpt.adapters.fuzzing import Harvest
from mpt.adapters.loop_fuzzer import LoopFuzzer
from mpt.adapters.sandbox import WalledSandbox
from mpt.errors import FuzzerError
from mpt.inputs import Unbuildable, examples_of, parameters_of, precondition_of, seeds_of
from mpt.spelling import value_of
from mpt.values import Arguments, Campaign, FuzzBudget, Limits, Parameter, Program, Prompt, Returned

INPUTS = 20
"""What every way may hand out, the docstring's examples among them where it uses those."""
AFL_S = 2.5
"""Seconds AFL has for one target, its start included."""
_YES = Returned(value_of(True))


class Unwatched:
    def phase(self, name: str, total: int) -> None: ...

    def advance(self, steps: int = 1) -> None: ...

    def check(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Known:
    """What a prompt and the target's source give."""

    parameters: tuple[Parameter, ...]
    seeds: tuple[Arguments, ...]
    precondition: Program | None

    @property
    def budget(self) -> FuzzBudget:
        """With the default number of executions, as in an editor."""
        return FuzzBudget(inputs=INPUTS - len(self.seeds), seconds=AFL_S)


Way = Callable[[Pair, WalledSandbox], tuple[Arguments, ...]]


def known(pair: Pair, words: bool = True) -> Known | None:
    """`words` False: the docstring's examples alone are read, and nothing of what it says (step 5 left out)."""
    prompt = pair.task.prompt if words else _without_words(pair.task.prompt)
    examples = examples_of(pair.task.prompt)
    try:
        parameters = parameters_of(prompt, examples, pair.target.source)
    except Unbuildable:
        return None
    seeds = seeds_of(examples)[: INPUTS // 2]
    return Known(parameters, seeds, precondition_of(prompt, parameters, examples) if words else None)


def _without_words(prompt: Prompt) -> Prompt:
    return replace(prompt, segments=tuple(one for one in prompt.segments if one.kind != "description"))


def loop(*, others: bool = True, words: bool = True) -> Way:
    """Our in-process loop. others: on all programs, not the target alone."""

    def way(pair: Pair, sandbox: WalledSandbox) -> tuple[Arguments, ...]:
        given = known(pair, words)
        if given is None:
            return ()
        beside = pair.paraphrases if others else ()
        campaign = Campaign(pair.target, given.parameters, given.seeds, beside, given.precondition)
        found = LoopFuzzer(sandbox).fuzz(campaign, given.budget, Unwatched())
        return (*given.seeds, *found)

    return way


def afl(*, seeds: bool = True) -> Way:
    """AFL on the target alone; without seeds in what is handed out it is the paper's setting: AFL's own finds."""

    def way(pair: Pair, sandbox: WalledSandbox) -> tuple[Arguments, ...]:
        given = known(pair)
        if given is None:
            return ()
        first = given.seeds if seeds else ()
        budget = replace(given.budget, inputs=INPUTS - len(first))
        try:
            campaign = Campaign(pair.target, given.parameters, given.seeds)
            found = AflFuzzer(sandbox).fuzz(campaign, budget, Unwatched())
        except FuzzerError:
            found = ()
        return (*first, *found)

    return way


def unbred(pair: Pair, sandbox: WalledSandbox) -> tuple[Arguments, ...]:
    """Step 3 left out: values of the parameters' shapes, within the domain, that no engine bred or chose."""
    given = known(pair)
    if given is None:
        return ()
    harvest, random = Harvest(given.parameters, given.seeds, "none"), Random(0)
    for _ in range(10 * INPUTS):
        harvest.add_bytes(random.randbytes(64))
    made = harvest.best(10 * INPUTS)
    if given.precondition:
        [row] = sandbox.run([given.precondition], made, Limits(), Unwatched())
        made = tuple(one for one, outcome in zip(made, row, strict=True) if outcome == _YES)
    return (*given.seeds, *made)[:INPUTS]


WAYS: dict[str, Way] = {
    "loop on the target": loop(others=False, words=False),
    "AFL on the target": afl(),
    "paper": afl(seeds=False),
    "mpt": loop(),
    "mpt without step 3 (engines)": unbred,
    "mpt without step 4 (differences)": loop(others=False),
    "mpt without step 5 (domain)": loop(words=False),
}
