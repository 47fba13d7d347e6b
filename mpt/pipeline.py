"""One check, as the paper's Section 3 tells it: paraphrases, programs, inputs, runs, verdict.

Synchronous, and free of I/O of its own: everything outside comes through the ports in `Tools`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from mpt import codegen, equality, inputs, observing, source, validation
from mpt.errors import FuzzerError
from mpt.observing import CannotTell
from mpt.ports import LanguageModel, Tools, Watch
from mpt.relations import RELATIONS
from mpt.settings import Settings
from mpt.smallest import smallest
from mpt.types.known import Known
from mpt.validation import Thresholds, ambiguity
from mpt.values import (
    Arguments,
    Campaign,
    Evidence,
    Example,
    Function,
    FuzzBudget,
    NoProgram,
    Origin,
    Outcome,
    Parameter,
    Paraphrase,
    Place,
    Program,
    Prompt,
    Reply,
    Report,
    Request,
    Run,
    Spent,
    Verdict,
)

TRIED, TRIED_EXECUTIONS = 8, 100
"""Inputs, and executions to find them, on which a function in its module is tried before a model is asked."""


def check(function: Function, tools: Tools, settings: Settings, watch: Watch) -> Report:
    """Judges one function. What cannot be told is INCONCLUSIVE, with its reason.

    Raises MptError where the reason is ours or the outside's (no model, no wall, a refused key, a spent budget), and
    Cancelled. The same function with the same kept replies and inputs gives the same report, `spent` apart.
    """
    return _report(function, _Run(tools, tools.model(), settings, watch, tools.clock()), None)


def compare(function: Function, programs: Sequence[Program], tools: Tools, settings: Settings, watch: Watch) -> Report:
    """Judges one function by programs that there are already, with no language model. As `check` else."""
    return _report(function, _Run(tools, tools.model(), settings, watch, tools.clock()), programs)


def write(prompt: Prompt, tools: Tools, settings: Settings, watch: Watch) -> tuple[Program, ...]:
    """The paraphrase programs of a prompt, as `check` has them written. None where they are too few."""
    run = _Run(tools, tools.model(), settings, watch, tools.clock())
    try:
        return run._programs(run._paraphrases(prompt), None)
    except CannotTell:
        return ()


def _report(function: Function, run: _Run, programs: Sequence[Program] | None) -> Report:
    try:
        return run.report(function, programs)
    except CannotTell as reason:
        verdict = Verdict("INCONCLUSIVE", str(reason))
        return Report(function, verdict, missing=tuple(run.missing), notes=tuple(run.notes), spent=run.spent())


@dataclass
class _Run:
    """One check under way: the tools, and what it has cost and met so far."""

    tools: Tools
    model: LanguageModel
    settings: Settings
    watch: Watch
    started: float
    missing: list[NoProgram] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    cost: Spent = field(default_factory=Spent)
    absent: tuple[str, ...] = ()
    """Packages that the function's environment lacks, of those whose types we know."""
    meant: bool = False
    """Is it known, not guessed, what the function takes?"""

    def report(self, function: Function, given: Sequence[Program] | None) -> Report:
        if function.obstacle is not None:
            raise CannotTell(function.obstacle)
        self.notes += [f"it {clause}" for clause in source.read_outside(function.source)]
        function = self._reached(function)
        target = codegen.target(function)
        examples = inputs.examples_of(function.prompt, function.place, function.source)
        parameters = self._parameters(function, examples)
        self.meant = inputs.meant(function.prompt, parameters, examples, function.place)
        rules = inputs.precondition_of(function.prompt, parameters, examples)
        campaign = Campaign(target, parameters, inputs.seeds_of(examples), precondition=rules)
        if given is None and function.place is not None:
            self._tried(campaign)
        paraphrases = self._paraphrases(source.told(function, self.settings.context)) if given is None else ()
        programs = self._programs(paraphrases, function.place) if given is None else _in_place(given, function)
        arguments = self._inputs(replace(campaign, others=tuple(programs)), self.settings.fuzz_budget)
        arguments, reading = self._meant(function.prompt, arguments)
        evidence = self._evidence((target, *programs), arguments, examples)
        domain = [one for one in (rules, reading) if one is not None]
        self.watch.phase("judge", 1)
        verdict = self._judge(function, evidence, domain, paraphrases)
        self.watch.advance()
        return Report(function, verdict, evidence, paraphrases, tuple(self.missing), tuple(self.notes), self.spent())

    # --- the module around it ---------------------------------------------------------------------

    def _reached(self, function: Function) -> Function:
        """The function in its module, imported behind the wall; where that fails, in what of the module it needs."""
        if function.place is None:
            return function
        failure = self._imported(function.place)
        if failure is None:
            return function
        reduced = source.taken_alone(function)
        if isinstance(reduced, str):
            raise CannotTell(f"its module cannot be imported ({failure}), and without it there is no {reduced!r}")
        assert reduced.place is not None
        again = self._imported(reduced.place)
        if again is not None:
            raise CannotTell(f"its module cannot be imported ({failure}), nor what of it the function needs ({again})")
        self.notes.append(f"its module cannot be imported ({failure}): the definitions it needs were taken alone")
        return reduced

    def _imported(self, place: Place) -> str | None:
        """Why its module cannot be imported, None where it can; what importing does besides is noted."""
        importing = self.tools.sandbox.imported(place.module, self.settings.limits, self.watch)
        self.notes += [f"importing its module {note}; that stayed inside the wall" for note in importing.notes]
        self.notes += [one for one in importing.untold if one not in self.notes]
        self.absent = importing.absent
        return importing.failure

    def _tried(self, campaign: Campaign) -> None:
        """Before a model is asked: what cannot be called here, or answers differently each time, costs no money."""
        few = replace(self.settings.fuzz_budget, inputs=TRIED, executions=TRIED_EXECUTIONS)
        arguments = self._inputs(campaign, few)
        observing.tried(campaign.target, arguments, self._runs, self.tools.types, self.meant)

    # --- paraphrases and programs (§3.1) ----------------------------------------------------------

    def _paraphrases(self, prompt: Prompt) -> tuple[Paraphrase, ...]:
        relation = RELATIONS["paraphrase"]
        wanted = self.settings.paraphrases
        found: list[Paraphrase] = []
        self.watch.phase("paraphrase", wanted)
        for attempt in range(2):  # a reply that is no paraphrase is asked for once more
            lacking = wanted - len(found)
            first = attempt * wanted
            requests = relation.requests(prompt, lacking, self.settings.paraphrase_temperature, first)
            replies = self._ask(requests)
            found += [one for one in relation.read(prompt, lacking, replies) if isinstance(one, Paraphrase)]
            if len(found) == wanted:
                break
        if len(found) < wanted:
            self.notes.append(f"{wanted - len(found)} of {wanted} replies were no paraphrase of the description")
        if not found:
            raise CannotTell("the language model gave no paraphrase of the description")
        return tuple(found)

    def _programs(self, paraphrases: Sequence[Paraphrase], place: Place | None) -> tuple[Program, ...]:
        """A reply that holds no program, or one that cannot be loaded where it is to run, is asked for once more."""
        made = self._generate(paraphrases, dict.fromkeys(range(len(paraphrases)), ""), place, sample=0)
        failed = {n: one.fault for n, one in made.items() if isinstance(one, NoProgram)}
        made |= self._generate(paraphrases, failed, place, sample=1)
        self.missing += [one for one in made.values() if isinstance(one, NoProgram)]
        programs = tuple(one for one in made.values() if isinstance(one, Program))
        if len(programs) < self.settings.min_programs:
            reason = f"only {len(programs)} of {len(paraphrases)} replies held a program{_why(self.missing)}"
            raise CannotTell(f"{reason}; {self.settings.min_programs} are needed")
        return programs

    def _generate(
        self, paraphrases: Sequence[Paraphrase], faults: Mapping[int, str], place: Place | None, sample: int
    ) -> dict[int, Program | NoProgram]:
        """A program of each of these paraphrases. faults: what an earlier one of it lacked; empty: there was none."""
        if not faults:
            return {}
        self.watch.phase("generate", len(faults))
        warmth = self.settings.program_temperature
        asked = [codegen.request(paraphrases[n].prompt, warmth, sample, place, fault) for n, fault in faults.items()]
        replies = self._ask(asked)
        origins = [Origin("paraphrase", paraphrases[n].relation, n, self.model.name, sample) for n in faults]
        made = {
            n: codegen.read(reply.text, paraphrases[n].prompt, origin, place)
            for n, reply, origin in zip(faults, replies, origins, strict=True)
        }
        programs = {n: one for n, one in made.items() if isinstance(one, Program)}
        if programs:
            self.watch.phase("run", len(programs))
        return made | observing.unloadable(programs, self._runs)

    def _ask(self, requests: Sequence[Request]) -> tuple[Reply, ...]:
        self.watch.check()
        if not requests:
            return ()
        replies = self.model.complete(requests, self.watch)
        fresh = [reply for reply in replies if reply.fresh]
        self.cost = replace(
            self.cost,
            llm_calls=self.cost.llm_calls + len(fresh),
            prompt_tokens=self.cost.prompt_tokens + sum(reply.prompt_tokens for reply in fresh),
            completion_tokens=self.cost.completion_tokens + sum(reply.completion_tokens for reply in fresh),
        )
        return replies

    # --- inputs (§3.2) ----------------------------------------------------------------------------

    def _parameters(self, function: Function, examples: Sequence[Example]) -> tuple[Parameter, ...]:
        known = Known(self.tools.types, frozenset(self.absent))
        try:
            return inputs.parameters_of(function.prompt, examples, function.source, function.place, known)
        except inputs.Unbuildable as reason:
            raise CannotTell(str(reason)) from None

    def _inputs(self, campaign: Campaign, budget: FuzzBudget) -> tuple[Arguments, ...]:
        """The examples, always; then up to `budget.inputs` fuzzed ones, by fuzzing the target."""
        self.watch.phase("fuzz", 0)
        arguments = tuple(dict.fromkeys((*campaign.seeds, *self._fuzz(campaign, budget))))
        if not arguments:
            raise CannotTell("no input could be made for it")
        return arguments

    def _fuzz(self, campaign: Campaign, budget: FuzzBudget) -> tuple[Arguments, ...]:
        """By the first fuzzer; a later one only fills up what an earlier one that broke or was slow left wanting."""
        found: tuple[Arguments, ...] = ()
        for fuzzer in self.tools.fuzzers:
            self.watch.check()
            wanted = replace(budget, inputs=budget.inputs - len(found))
            if wanted.inputs <= 0:
                break
            try:
                found += fuzzer.fuzz(replace(campaign, seeds=(*campaign.seeds, *found)), wanted, self.watch)
            except FuzzerError as error:
                self.notes.append(f"the fuzzer {fuzzer.name!r} broke: {error}")
        return found

    def _meant(self, prompt: Prompt, arguments: tuple[Arguments, ...]) -> tuple[tuple[Arguments, ...], Program | None]:
        """Without the inputs that the docstring rules out, as the language model reads it; and that reading."""
        asked = inputs.question(prompt) if self.settings.domain == "model" else None
        if asked is None:
            return arguments, None
        self.watch.phase("generate", 1)
        [reply] = self._ask([codegen.request(asked, temperature=0.0)])
        reading = codegen.read(reply.text, asked, Origin("paraphrase", "precondition", model=self.model.name))
        if isinstance(reading, NoProgram):
            self.notes.append(f"what the docstring rules out was not read: {reading.reason}")
            return arguments, None
        [outcomes] = self._run([reading], arguments)
        found = inputs.sort_out(arguments, outcomes)
        if found.distrust:
            self.notes.append(f"what the language model reads as ruled out is not believed: {found.distrust}")
            return arguments, None
        if found.apart:
            apart = inputs.named(prompt.entry_point, found.apart)
            self.notes.append(f"{len(found.apart)} inputs set aside, which the docstring rules out: {apart}")
        return found.kept, reading

    # --- runs and verdict (§3.3) ------------------------------------------------------------------

    def _evidence(
        self, programs: Sequence[Program], arguments: tuple[Arguments, ...], examples: tuple[Example, ...]
    ) -> Evidence:
        self.watch.phase("run", len(programs) + 1)
        evidence = observing.gathered(programs, arguments, examples, self._runs, self.tools.types, self.meant)
        self.notes += observing.notes(evidence, len(arguments), self.settings.min_programs)
        return evidence

    def _judge(
        self, function: Function, evidence: Evidence, domain: Sequence[Program], paraphrases: Sequence[Paraphrase]
    ) -> Verdict:
        """The policy's verdict; what it shows is made as small as it can be."""
        thresholds = Thresholds(
            self.settings.agreement, self.settings.min_programs, sensitivity=self.settings.sensitivity
        )
        description = function.prompt.description
        counted = equality.of_function(function, evidence, self.tools.types)
        verdict = validation.judge(evidence, self.settings.policy, thresholds, counted)
        if verdict.status == "CONSISTENT" and source.only_acts(function) and validation.nothing_seen(evidence):
            return Verdict("INCONCLUSIVE", "on every input it returns None and changes nothing that could be compared")
        if verdict.status == "AMBIGUOUS":
            return ambiguity.explained(verdict, evidence, description, _rewordings(evidence, paraphrases), counted)
        if verdict.status != "INCONSISTENT" or not verdict.disagreements:
            return verdict
        smaller = smallest(verdict.disagreements[0], evidence.programs, domain, counted, self._run)
        if smaller is None:
            return verdict
        return replace(verdict, disagreements=(smaller, *verdict.disagreements))

    def _run(self, programs: Sequence[Program], arguments: Sequence[Arguments]) -> tuple[tuple[Outcome, ...], ...]:
        return tuple(run.outcomes for run in self._runs(programs, arguments))

    def _runs(self, programs: Sequence[Program], arguments: Sequence[Arguments]) -> tuple[Run, ...]:
        """Under the limits of the settings; they are part of the cost."""
        executions = self.cost.executions + len(programs) * len(arguments)
        self.cost = replace(self.cost, executions=executions)
        return self.tools.sandbox.runs(programs, arguments, self.settings.limits, self.watch)

    def spent(self) -> Spent:
        return replace(self.cost, seconds=self.tools.clock() - self.started)


def _rewordings(evidence: Evidence, paraphrases: Sequence[Paraphrase]) -> dict[int, str]:
    """The description that each paraphrase program was written from."""
    if not paraphrases:
        return {}
    origins = [one.origin for one in evidence.programs]
    return {p: paraphrases[one.paraphrase].prompt.description for p, one in enumerate(origins) if p > 0}


def _why(missing: Sequence[NoProgram]) -> str:
    """Where programs were there, but could not be loaded: by the first."""
    details = (one.reason.partition(codegen.UNLOADABLE)[2] for one in missing)
    detail = next(filter(None, details), "")
    return f" that can be loaded ({detail})" if detail else ""


def _in_place(programs: Sequence[Program], function: Function) -> tuple[Program, ...]:
    """Where the function is by now: its module may have been taken alone."""
    return tuple(replace(program, place=function.place) for program in programs)
