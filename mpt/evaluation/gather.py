"""Makes one task's evidence: fuzzes its targets, then runs its programs on all inputs found.

Knows the prompt and the programs, and nothing of what is true.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mpt import equality, inputs, wiring
from mpt.errors import FuzzerError, UsageError
from mpt.evaluation import grid
from mpt.evaluation.grid import Grid
from mpt.evaluation.prompts import Task
from mpt.ports import Fuzzer, Sandbox, Watch
from mpt.settings import Settings
from mpt.values import Arguments, Campaign, Example, Limits, Origin, Outcome, Program, Prompt


@dataclass(frozen=True, slots=True)
class Job:
    """One task's programs, each text once; `fuzzings`: targets, each beside the programs its inputs are to split."""

    task: Task
    programs: tuple[str, ...]
    fuzzings: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Order:
    """A job, and the settings it is done with: all that another process needs."""

    job: Job
    settings: Settings


def evidence_line(order: Order) -> str:
    """The line of one task's evidence. Raises MptError."""
    sandbox = wiring.open_wall(order.settings)
    try:
        fuzzers = wiring.open_fuzzers(order.settings, sandbox)
        return grid.dumps(Gatherer(sandbox, fuzzers, order.settings, Unwatched()).gather(order.job))
    finally:
        sandbox.close()


class Unwatched:
    """A Watch of nobody: whoever hands out the work watches over the tasks."""

    def phase(self, name: str, total: int) -> None: ...

    def advance(self, steps: int = 1) -> None: ...

    def check(self) -> None: ...


def runnable(task: Task, program: str) -> str:
    """The program as a module would hold it: after the imports and helpers of its prompt, which it may leave out."""
    return task.parsed.preamble + "\n" + program


@dataclass(frozen=True, slots=True)
class Gatherer:
    """What evidence is made with."""

    sandbox: Sandbox
    fuzzers: tuple[Fuzzer, ...]
    settings: Settings
    watch: Watch

    def gather(self, job: Job) -> Grid:
        """Raises SandboxError, Cancelled. A task that cannot be fuzzed has its examples alone, and a note."""
        prompt = job.task.parsed
        examples = inputs.examples_of(prompt)
        programs = [Program(text, job.task.entry_point, Origin("target")) for text in job.programs]
        notes: list[str] = []
        found = {key: self._inputs(prompt, examples, [programs[p] for p in key], notes) for key in job.fuzzings}
        union = tuple(dict.fromkeys(one for inputs_found in found.values() for one in inputs_found))
        place = {arguments: i for i, arguments in enumerate(union)}
        rows = self._run(programs, union)
        targets = tuple(dict.fromkeys(key[0] for key in job.fuzzings))
        again = self._run([programs[p] for p in targets], union)
        steady = {p: _steady(rows[p], twice) for p, twice in zip(targets, again, strict=True)}
        inputs_of = {
            key: tuple(i for one in inputs_found if (i := place[one]) in steady[key[0]])
            for key, inputs_found in found.items()
        }
        return Grid(job.task.task_id, job.programs, union, rows, inputs_of, examples, tuple(dict.fromkeys(notes)))

    def _run(self, programs: Sequence[Program], arguments: Sequence[Arguments]) -> tuple[tuple[Outcome, ...], ...]:
        limits = scaled(self.settings.limits, len(arguments), self.settings.inputs)
        return self.sandbox.run(programs, arguments, limits, self.watch)

    def _inputs(
        self, prompt: Prompt, examples: Sequence[Example], programs: Sequence[Program], notes: list[str]
    ) -> tuple[Arguments, ...]:
        """As the pipeline makes them: the examples, always; then up to `settings.inputs` fuzzed ones."""
        seeds = inputs.seeds_of(examples)
        try:
            parameters = inputs.parameters_of(prompt, examples, programs[0].source)
        except (inputs.Unbuildable, UsageError) as reason:
            notes.append(str(reason))
            return seeds
        domain = inputs.precondition_of(prompt, parameters, examples)
        campaign = Campaign(programs[0], parameters, seeds, tuple(programs[1:]), domain)
        found = seeds
        for fuzzer in self.fuzzers:
            self.watch.check()
            budget = self.settings.fuzz_budget
            wanted = replace(budget, inputs=budget.inputs - len(found) + len(seeds))
            if wanted.inputs <= 0:
                break
            try:
                found += fuzzer.fuzz(replace(campaign, seeds=found), wanted, self.watch)
            except FuzzerError as error:
                notes.append(f"the fuzzer {fuzzer.name!r} broke: {error}")
        return tuple(dict.fromkeys(found))


def scaled(limits: Limits, inputs: int, usual: int) -> Limits:
    """The same time for an input as where a program runs on the usual number of them."""
    share = max(1.0, inputs / usual)
    return replace(limits, program_s=limits.program_s * share, check_s=limits.check_s * share)


def _steady(once: Sequence[Outcome], again: Sequence[Outcome]) -> frozenset[int]:
    """The inputs on which the target agrees with itself; on the others it tells nothing."""
    mutation = equality.Equality(mutation=True)
    return frozenset(
        i for i, (a, b) in enumerate(zip(once, again, strict=True)) if equality.same(a, b, mutation) is not False
    )
