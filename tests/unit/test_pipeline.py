"""The pipeline over fakes: what is asked, counted, dropped and judged, and what becomes of each kind of failure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import count

import pytest

from builders import arguments, returned
from fakes import FakeFuzzer, FakeModel, FakeSandbox, FakeStore, FakeWatch
from mpt import pipeline
from mpt.errors import Cancelled, FuzzerError, ModelRefused
from mpt.ports import Tools
from mpt.settings import Settings
from mpt.source import find_functions
from mpt.values import Arguments, Function, Outcome, Program, Raised, Report, Request, Stopped, Value

TEXT = '''def double(x: int) -> int:
    """Return twice the given number.

    >>> double(2)
    4
    """
    return 2 * x
'''
GOOD = "```python\ndef double(x):\n    return x + x\n```"
BAD = "```python\ndef double(x):\n    return x * x\n```"
PROSE = "I would rather not."


def function(text: str = TEXT) -> Function:
    return find_functions(text, "a.py")[0]


def is_program(request: Request) -> bool:
    return "python code" in request.messages[-1].content


def answering(programs: Callable[[int], str], paraphrase: str = "Give back two times the number.") -> FakeModel:
    """A model whose n-th program is `programs(n)`."""
    numbers = count()
    return FakeModel(lambda request: programs(next(numbers)) if is_program(request) else paraphrase)


def doubling(program: Program, given: Arguments) -> Outcome:
    """Programs that square differ from programs that double, but for 2."""
    x = int(given.positional[0].wire)
    return returned(x * x if "x * x" in program.source else 2 * x)


@dataclass
class Bench:
    """A check over fakes, each of which a test may replace."""

    model: FakeModel
    outcome: Callable[[Program, Arguments], Outcome] = doubling
    fuzzers: tuple[object, ...] = (FakeFuzzer((arguments(3), arguments(4))),)
    watch: FakeWatch = field(default_factory=FakeWatch)
    settings: Settings = field(default_factory=Settings)
    printed: str = ""

    def check(self, text: str = TEXT) -> Report:
        ticks = count()
        tools = Tools(
            lambda: self.model,
            FakeSandbox(self._outcome, printed=self.printed),
            self.fuzzers,
            FakeStore(),
            lambda: float(next(ticks)),  # type: ignore[arg-type]
        )
        return pipeline.check(function(text), tools, self.settings, self.watch)

    def _outcome(self, program: Program, given: Arguments) -> Outcome:
        """Called with nothing, to see whether it can be loaded: what "no such module" is in cannot."""
        if given != Arguments(()):
            return self.outcome(program, given)
        missing = "import nosuch" in program.source
        return Stopped("load", "ModuleNotFoundError: No module named 'nosuch'") if missing else Raised("TypeError", "")


def test_programs_that_agree_make_it_consistent() -> None:
    bench = Bench(answering(lambda n: GOOD))
    report = bench.check()
    assert report.verdict.status == "CONSISTENT"
    assert report.evidence is not None
    assert report.evidence.inputs == (arguments(2), arguments(3), arguments(4))
    assert [name for name, _ in bench.watch.phases] == ["paraphrase", "generate", "run", "fuzz", "run", "judge"]


def test_programs_that_agree_on_another_answer_make_it_inconsistent() -> None:
    report = Bench(answering(lambda n: BAD)).check()
    assert report.verdict.status == "INCONSISTENT"
    smallest, *found = report.verdict.disagreements
    assert (smallest.arguments, smallest.arguments.origin) == (arguments(1), "shrunk")
    assert (smallest.target, smallest.others[0].outcome) == (returned(2), returned(1))
    assert [one.arguments for one in found] == [arguments(3), arguments(4)]


def test_what_the_programs_printed_is_kept_with_what_they_did() -> None:
    report = Bench(answering(lambda n: GOOD), printed="seen").check()
    assert report.evidence is not None
    assert report.evidence.printed == ("seen",) * 6


SHEETS = '''def sheets(pages: int) -> int:
    """Count the sheets. Odd pages are rounded."""
    return pages
'''


def test_an_ambiguous_verdict_names_the_open_sentence_and_shows_each_class() -> None:
    """Two programs round up, two down, one as the function does."""
    readings = ["Always go up to a whole sheet.", "Always go down, dropping what is left.", "Odd pages get rounded."]
    numbers = count()

    def answer(request: Request) -> str:
        asked = request.messages[-1].content
        if not is_program(request):
            return f"Count the sheets. {readings[next(numbers) // 2 % 3]}"
        change = "+ 1" if "go up" in asked else "- 1" if "go down" in asked else ""
        return f"```python\ndef sheets(pages):\n    return pages {change}\n```"

    def rounding(program: Program, given: Arguments) -> Outcome:
        pages = int(given.positional[0].wire)
        return returned(pages + ("+ 1" in program.source) - ("- 1" in program.source))

    verdict = Bench(FakeModel(answer), rounding).check(SHEETS).verdict
    assert verdict.status == "AMBIGUOUS"
    assert verdict.reason.endswith("where it says “Odd pages are rounded.”; the programs behave in 3 ways")
    assert [len(one.others) for one in verdict.disagreements] == [3, 3]


def test_what_was_asked_is_counted() -> None:
    report = Bench(answering(lambda n: GOOD)).check()
    assert (report.spent.llm_calls, report.spent.prompt_tokens, report.spent.completion_tokens) == (10, 100, 200)
    assert report.spent.executions == 7 * 3 + 5  # target twice and programs on three inputs; each loaded once
    assert report.spent.seconds > 0


def test_signature_and_examples_are_asked_as_they_stand() -> None:
    bench = Bench(answering(lambda n: GOOD))
    bench.check()
    asked = [request.messages[-1].content for request in bench.model.asked if is_program(request)]
    assert len(asked) == 5
    for question in asked:
        assert "def double(x: int) -> int:" in question
        assert ">>> double(2)\n    4\n" in question
        assert "two times the number" in question
        assert "Return twice" not in question


def test_a_reply_without_a_program_is_asked_once_more_then_counted() -> None:
    bench = Bench(answering(lambda n: PROSE if n in (0, 1, 5) else GOOD))
    report = bench.check()
    assert report.verdict.status == "CONSISTENT"
    assert [request.sample for request in bench.model.asked if is_program(request)] == [0] * 5 + [1] * 2
    assert len(report.missing) == 1
    assert report.missing[0].reason


def test_a_program_that_cannot_be_loaded_is_asked_for_once_more_with_the_reason() -> None:
    bad = "```python\nimport nosuch\n\ndef double(x):\n    return nosuch.twice(x)\n```"
    bench = Bench(answering(lambda n: bad if n in (0, 1, 5) else GOOD))
    report = bench.check()
    assert report.verdict.status == "CONSISTENT"
    asked = [request for request in bench.model.asked if is_program(request)]
    assert [request.sample for request in asked] == [0] * 5 + [1] * 2
    said = "cannot be loaded here: there is no module 'nosuch'. Do without that."
    assert [said in request.messages[-1].content for request in asked] == [False] * 5 + [True] * 2
    assert [one.reason for one in report.missing] == [
        "the reply's program cannot be loaded: ModuleNotFoundError: No module named 'nosuch'"
    ]
    assert report.evidence is not None
    assert len(report.evidence.others) == 4


def test_a_model_that_answers_prose_is_inconclusive() -> None:
    report = Bench(answering(lambda n: PROSE)).check()
    assert report.verdict.status == "INCONCLUSIVE"
    assert report.verdict.reason == "only 0 of 5 replies held a program; 3 are needed"
    assert len(report.missing) == 5


def test_a_model_that_gives_no_paraphrase_is_inconclusive() -> None:
    report = Bench(answering(lambda n: GOOD, paraphrase="")).check()
    assert report.verdict.status == "INCONCLUSIVE"
    assert "no paraphrase" in report.verdict.reason


def test_inputs_that_the_target_answers_differently_when_called_twice_are_dropped() -> None:
    flips = count()

    def flaky(program: Program, given: Arguments) -> Outcome:
        if program.origin.role == "target" and given == arguments(3):
            return returned(next(flips))
        return doubling(program, given)

    report = Bench(answering(lambda n: GOOD), flaky).check()
    assert report.verdict.status == "CONSISTENT"
    assert report.evidence is not None
    assert arguments(3) not in report.evidence.inputs
    assert "dropped" in report.notes[0]


def test_a_target_that_never_repeats_itself_is_inconclusive() -> None:
    flips = count()
    report = Bench(answering(lambda n: GOOD), lambda program, given: returned(next(flips))).check()
    assert report.verdict.status == "INCONCLUSIVE"
    assert "twice" in report.verdict.reason


@dataclass
class Broken:
    name: str = "afl"

    def fuzz(self, *given: object) -> tuple[Arguments, ...]:
        raise FuzzerError("afl-fuzz was killed")


def test_a_later_fuzzer_stands_in_for_a_broken_one_and_it_is_said() -> None:
    report = Bench(answering(lambda n: GOOD), fuzzers=(Broken(), FakeFuzzer((arguments(3),)))).check()
    assert report.verdict.status == "CONSISTENT"
    assert "afl-fuzz was killed" in report.notes[0]


def test_a_later_fuzzer_fills_up_what_an_earlier_one_left_wanting() -> None:
    first, second = FakeFuzzer((arguments(3),)), FakeFuzzer((arguments(3), arguments(4), arguments(5)))
    report = Bench(answering(lambda n: GOOD), fuzzers=(first, second), settings=Settings(inputs=2)).check()
    assert report.evidence is not None
    assert report.evidence.inputs == (arguments(2), arguments(3), arguments(4))


def test_an_obstacle_is_the_reason_and_nothing_is_asked() -> None:
    bench = Bench(answering(lambda n: GOOD))
    report = bench.check("def f(x):\n    return x\n")
    assert report.verdict.status == "INCONCLUSIVE"
    assert "docstring" in report.verdict.reason
    assert bench.model.asked == []


def test_a_parameter_no_value_can_be_made_for_is_inconclusive_by_name_before_anything_is_asked() -> None:
    bench = Bench(answering(lambda n: GOOD))
    report = bench.check('def f(handle: "Connection"):\n    """Send a greeting to it."""\n    handle.send(b"hi")\n')
    assert report.verdict.status == "INCONCLUSIVE"
    assert "handle" in report.verdict.reason
    assert bench.model.asked == []


def test_what_is_ours_to_answer_for_is_raised() -> None:
    def refuse(request: Request) -> str:
        raise ModelRefused("the key was refused (401)")

    with pytest.raises(ModelRefused):
        Bench(FakeModel(refuse)).check()


@pytest.mark.parametrize("at", range(1, 4))
def test_stop_is_obeyed_in_each_phase(at: int) -> None:
    with pytest.raises(Cancelled):
        Bench(answering(lambda n: GOOD), watch=FakeWatch(cancel_at=at)).check()


def test_arguments_changed_in_place_are_the_answer_of_a_function_that_returns_none() -> None:
    text = TEXT.replace("Return twice the given number.", "Sort the list.").replace("double(2)\n    4", "double([2])")

    def sorting(program: Program, given: Arguments) -> Outcome:
        after = Value("[1,2]") if program.origin.role == "target" else Value("[2,1]")
        return replace(returned(None), arguments_after=(after,))

    report = Bench(answering(lambda n: GOOD), sorting).check(text)
    assert report.verdict.status == "INCONSISTENT"


def test_programs_that_never_end_are_inconclusive() -> None:
    def slow(program: Program, given: Arguments) -> Outcome:
        return doubling(program, given) if program.origin.role == "target" else Stopped("time")

    report = Bench(answering(lambda n: GOOD), slow).check()
    assert report.verdict.status == "INCONCLUSIVE"
    assert "0 of 5" in report.verdict.reason


# --- inputs that it is not meant for --------------------------------------------------------------

MEANT = tuple(replace(arguments(number), origin="fuzzed") for number in (3, 4, -5))


def reading_model(reading: str) -> FakeModel:
    """A model that writes good programs, and reads the docstring's words so."""

    def answer(request: Request) -> str:
        asked = request.messages[-1].content
        if "def precondition(x: int) -> bool:" in asked:
            return f"```python\n{reading}\n```"
        return GOOD if is_program(request) else "Give back two times the number."

    return FakeModel(answer)


def refusing(refused: tuple[Arguments, ...]) -> Callable[[Program, Arguments], Outcome]:
    def outcome(program: Program, given: Arguments) -> Outcome:
        return returned(given not in refused) if program.entry_point == "precondition" else doubling(program, given)

    return outcome


READING = "def precondition(x):\n    return x > 0"


def check_with(reading: str, refused: tuple[Arguments, ...], domain: str = "model") -> tuple[Report, FakeModel]:
    model = reading_model(reading)
    settings = Settings(domain=domain)
    report = Bench(model, refusing(refused), (FakeFuzzer(MEANT),), settings=settings).check()
    return report, model


def test_what_the_docstring_rules_out_as_the_model_reads_it_is_set_aside_and_named() -> None:
    report, model = check_with(READING, (arguments(-5),))
    assert report.evidence is not None
    assert report.evidence.inputs == (arguments(2), arguments(3), arguments(4))
    assert report.notes == ("1 inputs set aside, which the docstring rules out: double(-5)",)
    assert report.spent.llm_calls == len(model.asked) == 11


def test_a_reading_that_refuses_an_example_or_most_inputs_empties_nothing() -> None:
    for refused, why in (
        ((arguments(2),), "it refuses an example of the docstring"),
        (MEANT, "it refuses 3 of 3 inputs that were found"),
    ):
        report, _ = check_with(READING, refused)
        assert report.evidence is not None
        assert len(report.evidence.inputs) == 4
        assert report.notes == (f"what the language model reads as ruled out is not believed: {why}",)


def test_a_reading_that_is_no_program_is_said_and_harms_nothing() -> None:
    report, _ = check_with("x > 0", ())
    assert report.verdict.status == "CONSISTENT"
    assert len(report.notes) == 1
    assert report.notes[0].startswith("what the docstring rules out was not read: ")


def test_nothing_is_read_unless_the_person_wants_it() -> None:
    report, model = check_with(READING, (arguments(-5),), domain="rules")
    assert report.evidence is not None
    assert arguments(-5) in report.evidence.inputs
    assert len(model.asked) == 10


def test_inputs_on_which_most_programs_raise_are_named() -> None:
    def outcome(program: Program, given: Arguments) -> Outcome:
        return Raised("ValueError") if given == arguments(-5) else doubling(program, given)

    report = Bench(answering(lambda n: GOOD), outcome, (FakeFuzzer(MEANT),)).check()
    assert report.verdict.status == "CONSISTENT"
    assert report.notes == ("most programs raise on 1 inputs, which it may not be meant for: double(-5)",)
