"""Both fuzzers against real programs behind the real wall."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from builders import arguments, program
from fakes import FakeStore, FakeWatch
from interpreters import installed
from mpt.adapters import afl_fuzzer
from mpt.adapters.afl_fuzzer import AflFuzzer
from mpt.adapters.corpus import ResumingFuzzer
from mpt.adapters.loop_fuzzer import LoopFuzzer
from mpt.adapters.sandbox import WalledSandbox, open_sandbox
from mpt.errors import Cancelled, FuzzerError, StoreError
from mpt.keys import corpus_key
from mpt.locating import module_of
from mpt.ports import Fuzzer
from mpt.spelling import call, outcome, value_of
from mpt.values import Arguments, Campaign, FuzzBudget, Limits, Module, Origin, Parameter, Place, Program, Shape

Ours = Callable[[], dict[int, str]]
NUMBERS = Parameter("x", Shape("list", (Shape("int", low=-100, high=100),), low=0, high=8))
NUMBER = Parameter("x", Shape("int", low=-1000, high=1000))
TEXT = Parameter("s", Shape("str", low=0, high=8, samples=(value_of("ab"),)))
BUDGET = FuzzBudget(inputs=20, executions=2000, seconds=60.0, seed=0)

BRANCHES = """
def f(x):
    if len(x) > 4:
        if x[0] == 77:
            return "deep"
        return "long"
    if x and x[0] < 0:
        return "negative"
    return "short"
"""


@pytest.fixture(scope="module")
def sandbox() -> Iterator[WalledSandbox]:
    if not shutil.which("bwrap"):
        pytest.skip("bubblewrap is not installed")
    opened = open_sandbox("bubblewrap")
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def afl(sandbox: WalledSandbox) -> Fuzzer:
    missing = afl_fuzzer.afl_missing()
    if missing:
        pytest.skip(missing)
    return AflFuzzer(sandbox)


@pytest.fixture
def loop(sandbox: WalledSandbox) -> Fuzzer:
    return LoopFuzzer(sandbox)


def fuzz(
    fuzzer: Fuzzer,
    source: str,
    *parameters: Parameter,
    seeds: Sequence[Arguments] = (),
    budget: FuzzBudget = BUDGET,
    watch: FakeWatch | None = None,
    others: Sequence[Program] = (),
    precondition: Program | None = None,
) -> list[str]:
    campaign = Campaign(program(source), parameters, tuple(seeds), tuple(others), precondition)
    found = fuzzer.fuzz(campaign, budget, watch or FakeWatch())
    assert len(set(found)) == len(found) <= budget.inputs
    assert not set(found) & set(seeds)
    assert {(one.origin, one.engine) for one in found} <= {("fuzzed", fuzzer.name)}
    return [call("f", one) for one in found]


def evaluate(source: str, calls: Sequence[str]) -> list[object]:
    """Our own harmless programs, run here."""
    names: dict[str, object] = {}
    exec(source, names)
    return [eval(text, names) for text in calls]


def test_loop_reaches_every_branch(loop: Fuzzer) -> None:
    found = fuzz(loop, BRANCHES, NUMBERS)
    assert len(found) == 20
    assert {"deep", "long", "negative", "short"} == set(evaluate(BRANCHES, found))


def test_loop_repeats_to_the_byte_and_the_seed_matters(loop: Fuzzer) -> None:
    assert fuzz(loop, BRANCHES, NUMBERS) == fuzz(loop, BRANCHES, NUMBERS)
    assert fuzz(loop, BRANCHES, NUMBERS) != fuzz(loop, BRANCHES, NUMBERS, budget=FuzzBudget(seed=1))


def test_loop_never_hands_out_a_seed(loop: Fuzzer) -> None:
    seeds = [Arguments((value_of(True),), origin="example")]
    assert fuzz(loop, "def f(x): return x", Parameter("x", Shape("bool")), seeds=seeds) == ["f(False)"]


def test_loop_prefers_what_returns(loop: Fuzzer) -> None:
    source = "def f(x):\n    if x % 3:\n        raise ValueError(x)\n    return x\n"
    found = fuzz(loop, source, NUMBER)
    raising = [text for text in found if int(text[2:-1]) % 3]
    assert len(found) == 20
    assert len(raising) <= 2
    assert found[-len(raising) :] == raising


def test_loop_goes_on_after_calls_that_never_end(loop: Fuzzer) -> None:
    endless = "def f(x):\n    while x > 0:\n        pass\n    return x\n"
    assert len(fuzz(loop, endless, NUMBER)) == 20
    swallows = """
def f(x):
    while x > 900:
        try:
            while True: pass
        except BaseException: pass
    return x
"""
    assert all(int(text[2:-1]) <= 900 for text in fuzz(loop, swallows, NUMBER, budget=FuzzBudget(executions=300)))


def test_loop_goes_on_after_calls_in_c_and_calls_that_end_the_process(loop: Fuzzer) -> None:
    source = "import os\ndef f(x):\n    if x == 7: os._exit(0)\n    if x == 8: sum(range(10**12))\n    return x\n"
    found = fuzz(loop, source, Parameter("x", Shape("int", low=0, high=30)), budget=FuzzBudget(executions=100))
    assert len(found) == 20
    assert not {"f(7)", "f(8)"} & set(found)


def test_loop_of_a_target_that_never_ends_in_c_gives_what_there_was(loop: Fuzzer) -> None:
    source = "def f(x):\n    if x > 0: sum(range(10**12))\n    return x\n"
    assert fuzz(loop, source, NUMBER, budget=FuzzBudget(executions=60))


def test_loop_is_not_flooded_by_what_the_target_prints(loop: Fuzzer) -> None:
    assert len(fuzz(loop, "def f(x):\n    print('x' * 10000)\n    return x\n", NUMBER)) == 20


def test_loop_gives_the_target_its_own_arguments(loop: Fuzzer) -> None:
    found = fuzz(loop, "def f(x):\n    x.clear()\n    return 1\n", NUMBERS)
    assert len(set(found)) == 20


def test_loop_of_a_target_that_does_not_load_gives_nothing(loop: Fuzzer) -> None:
    assert fuzz(loop, "import nosuchmodule\ndef f(x): return x\n", NUMBER) == []


def test_loop_stops_when_told_to(loop: Fuzzer) -> None:
    endless = (
        "def f(x):\n    while True:\n        try:\n            while True: pass\n        except BaseException: pass\n"
    )
    with pytest.raises(Cancelled):
        fuzz(loop, endless, NUMBER, watch=FakeWatch(cancel_at=3))


def test_loop_of_every_kind_of_parameter(loop: Fuzzer) -> None:
    parameters = (
        NUMBER,
        Parameter("*rest", Shape("list", (Shape("int"),), low=0, high=3)),
        Parameter("key", TEXT.shape, keyword=True),
        Parameter("**more", Shape("dict", (Shape("str"), Shape("int")), low=0, high=2)),
    )
    source = "def f(x, *rest, key, **more): return (x, rest, key, sorted(more))"
    assert len(fuzz(loop, source, *parameters)) == 20


def test_loop_of_a_function_without_parameters(loop: Fuzzer) -> None:
    assert fuzz(loop, "def f(): return 1") == ["f()"]


@pytest.mark.parametrize("version", ["3.9", "3.12", "3.13"])
def test_loop_on_other_interpreters(version: str) -> None:
    """Below 3.12 it traces, from there on it monitors; a loop on one line ends either way."""
    endless = BRANCHES.replace("    if len(x) > 4", "    while len(x) == 3: pass\n    if len(x) > 4")
    sandbox = open_sandbox("bubblewrap", installed(version))
    found = fuzz(LoopFuzzer(sandbox), endless, NUMBERS)
    sandbox.close()
    assert len(found) == 20
    assert {"deep", "long", "negative", "short"} == set(evaluate(BRANCHES, found))


OTHER = BRANCHES.replace('"long"', '"long" if x[1] != 5 else "five"')


def test_loop_finds_what_tells_programs_apart_and_hands_it_out_first(loop: Fuzzer) -> None:
    found = fuzz(loop, BRANCHES, NUMBERS, others=[program(OTHER, 1), program("no python", 2)])
    assert evaluate(BRANCHES, found[:1]) != evaluate(OTHER, found[:1])
    assert len(found) == 20


def test_loop_keeps_to_the_precondition(loop: Fuzzer) -> None:
    even = Program("def precondition(x): return len(x) % 2 == 0", "precondition", Origin("target"))
    found = fuzz(loop, BRANCHES, NUMBERS, precondition=even)
    assert len(found) == 20
    assert all(eval(text.replace("f(", "len(")) % 2 == 0 for text in found)
    broken = Program("def precondition(x): return x.nosuch", "precondition", Origin("target"))
    assert fuzz(loop, BRANCHES, NUMBERS, precondition=broken) == []


# --- the corpus of the function -------------------------------------------------------------------

DOOR = "def f(x):\n    if x and x[0] == 97:\n        return 'in'\n    return 'out'\n"
EDITED = "def f(x):\n    if x and 3 * x[0] - 1 == 290:\n        return 'in'\n    return 'out'\n"


def test_loop_starts_a_second_check_from_what_the_first_one_found(loop: Fuzzer) -> None:
    """The edited body names its number no more, and a few inputs do not find it."""
    few = FuzzBudget(inputs=20, executions=40)
    assert "in" not in evaluate(EDITED, fuzz(loop, EDITED, NUMBERS, budget=few))
    resuming = ResumingFuzzer(loop, FakeStore())
    assert "in" in evaluate(DOOR, fuzz(resuming, DOOR, NUMBERS))
    assert "in" in evaluate(EDITED, fuzz(resuming, EDITED, NUMBERS, budget=few))


def test_a_corpus_is_the_functions_own_and_keeps_to_its_precondition(loop: Fuzzer) -> None:
    store = FakeStore()
    fuzz(ResumingFuzzer(loop, store), DOOR, NUMBERS)
    few = FuzzBudget(inputs=20, executions=40)
    other = Parameter("y", NUMBERS.shape)
    assert "in" not in evaluate(EDITED, fuzz(ResumingFuzzer(loop, store), EDITED.replace("x", "y"), other, budget=few))
    low = Program("def precondition(x): return max(x, default=0) < 90", "precondition", Origin("target"))
    found = fuzz(ResumingFuzzer(loop, store), EDITED, NUMBERS, budget=few, precondition=low)
    assert found
    assert "in" not in evaluate(EDITED, found)


def test_a_corpus_that_no_longer_fits_is_passed_over(loop: Fuzzer) -> None:
    campaign = Campaign(program(DOOR), (NUMBERS,), corpus=(arguments("text"), arguments([1000])))
    found = loop.fuzz(campaign, BUDGET, FakeWatch())
    assert len(found) == 20


def test_a_damaged_corpus_says_how_to_forget_it(loop: Fuzzer) -> None:
    store = FakeStore()
    store.put("corpus", corpus_key("f", (NUMBERS,)), "{")
    with pytest.raises(
        StoreError, match=r"^the kept corpus .* cannot be read .*: `mpt cache clear corpus` forgets it$"
    ):
        fuzz(ResumingFuzzer(loop, store), DOOR, NUMBERS)


def test_afl_starts_a_second_check_from_what_the_first_one_found(afl: Fuzzer, loop: Fuzzer) -> None:
    store = FakeStore()
    assert "in" in evaluate(DOOR, fuzz(ResumingFuzzer(loop, store), DOOR, NUMBERS))
    others = [program("def f(x): return 'out'", 1)]
    resumed = fuzz(ResumingFuzzer(afl, store), EDITED, NUMBERS, budget=FuzzBudget(seconds=8), others=others)
    assert evaluate(EDITED, resumed[:1]) == ["in"]


# --- AFL ------------------------------------------------------------------------------------------


@pytest.fixture
def ours(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[], dict[int, str]]:
    """Process ids and command lines of what this test's AFL started, those inside the wall too."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def found() -> dict[int, str]:
        lines = {}
        for file in Path("/proc").glob("[0-9]*/cmdline"):
            with contextlib.suppress(OSError):
                lines[int(file.parent.name)] = file.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
        return {pid: line for pid, line in lines.items() if str(tmp_path) in line}

    return found


def test_afl_reaches_every_branch_and_leaves_nothing_behind(afl: Fuzzer, ours: Ours) -> None:
    seeds = [arguments([1, 2, 3, 4, 5])]
    found = fuzz(afl, BRANCHES.replace("77", "7"), NUMBERS, seeds=seeds, budget=BUDGET)
    assert len(found) == 20
    assert {"deep", "long", "negative", "short"} == set(evaluate(BRANCHES.replace("77", "7"), found))
    assert left(ours) == {}


def test_afl_fills_up_from_executed_inputs_where_its_queue_holds_few(afl: Fuzzer) -> None:
    assert len(fuzz(afl, "def f(x): return x % 50", NUMBER)) == 20


def test_afl_prefers_what_returns(afl: Fuzzer) -> None:
    found = fuzz(afl, "def f(x):\n    if x % 3:\n        raise ValueError(x)\n    return x\n", NUMBER)
    assert sum(int(text[2:-1]) % 3 != 0 for text in found) <= 2


def test_afl_hands_out_what_tells_programs_apart_and_keeps_to_the_precondition(afl: Fuzzer) -> None:
    small = Program("def precondition(x): return x < 100", "precondition", Origin("target"))
    found = fuzz(afl, "def f(x): return x", NUMBER, others=[program("def f(x): return abs(x)", 1)], precondition=small)
    numbers = [int(text[2:-1]) for text in found]
    assert numbers[0] < 0
    assert max(numbers) < 100


def test_afl_goes_on_after_calls_that_never_end(afl: Fuzzer) -> None:
    source = "def f(x):\n    while x > 900:\n        pass\n    return x\n"
    assert fuzz(afl, source, NUMBER, seeds=[arguments(1)])


def test_afl_of_a_target_that_does_not_load_gives_nothing(afl: Fuzzer) -> None:
    assert fuzz(afl, "import nosuchmodule\ndef f(x): return x\n", NUMBER) == []


def test_afl_that_is_too_slow_says_so(afl: Fuzzer) -> None:
    with pytest.raises(FuzzerError, match=r"^afl-fuzz found nothing within 0.01 s: give it more"):
        fuzz(afl, BRANCHES, NUMBERS, budget=FuzzBudget(seconds=0.01))


def left(ours: Ours, within_s: float = 10.0) -> dict[int, str]:
    """What is still running in the end: the system takes its time over the processes inside a wall that was ended."""
    deadline = time.monotonic() + within_s
    while ours() and time.monotonic() < deadline:
        time.sleep(0.05)
    return ours()


def test_afl_stops_when_told_to(afl: Fuzzer, ours: Ours) -> None:
    with pytest.raises(Cancelled):
        fuzz(afl, BRANCHES, NUMBERS, watch=FakeWatch(cancel_at=4))
    assert left(ours) == {}


def test_afl_missing_is_one_clear_line(afl: Fuzzer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert afl_fuzzer.afl_missing() == "AFL++ (afl-fuzz) is not installed"
    with pytest.raises(
        FuzzerError, match=r"^AFL\+\+ \(afl-fuzz\) is not installed: install AFL\+\+ .* or use --fuzzer loop$"
    ):
        fuzz(afl, BRANCHES, NUMBERS)


IN_A_CLASS = """
def f(self, x):
    if len(x) > 4:
        if x[0] == DEEP:
            return "deep"
        return "long"
    if x and x[0] < self.least:
        return "less"
    return "short"
"""


def test_afl_reaches_the_branches_of_a_method_in_its_module(
    afl: Fuzzer, sandbox: WalledSandbox, tmp_path: Path
) -> None:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "__init__.py").write_text("")
    (tmp_path / "pkg" / "near.py").write_text("DEEP = 77\n")
    path = tmp_path / "pkg" / "here.py"
    path.write_text("from .near import DEEP\nclass Box:\n    def __init__(self, least): self.least = least\n")
    module = replace(module_of(path), text=path.read_text())
    target = Program(IN_A_CLASS, "f", Origin("target"), Place(module, "Box.f", "method"))
    least = Shape("int", low=-9, high=9)
    itself = Parameter("self", Shape("call", (least,), call="Box", names=("",)))
    found = afl.fuzz(Campaign(target, (itself, NUMBERS)), BUDGET, FakeWatch())
    [row] = sandbox.run([target], found, Limits(), FakeWatch())
    assert {outcome(seen) for seen in row} >= {"'long'", "'less'", "'short'"}


def test_afl_gives_nothing_where_the_module_cannot_be_imported(afl: Fuzzer) -> None:
    target = Program("def f(x): return x", "f", Origin("target"), Place(Module("here", "import no_such_module"), "f"))
    assert afl.fuzz(Campaign(target, (NUMBER,)), BUDGET, FakeWatch()) == ()


def test_afl_broken_is_one_clear_line(afl: Fuzzer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken = tmp_path / "afl-fuzz"
    broken.write_text("#!/bin/sh\necho '[-] PROGRAM ABORT : no luck'\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(FuzzerError, match=r"^afl-fuzz ended by itself \(PROGRAM ABORT : no luck\): install"):
        fuzz(afl, BRANCHES, NUMBERS)


def test_afl_killed_is_one_clear_line(afl: Fuzzer, ours: Ours) -> None:
    @dataclass
    class Killing(FakeWatch):
        def check(self) -> None:
            for pid, line in ours().items():
                if line.startswith("afl-fuzz "):
                    os.kill(pid, signal.SIGKILL)

    with pytest.raises(FuzzerError, match=r"^afl-fuzz ended by itself \(.*\): install"):
        fuzz(afl, BRANCHES, NUMBERS, budget=FuzzBudget(seconds=20), watch=Killing())
    assert left(ours) == {}


def test_afl_of_another_interpreter_says_why_not(sandbox: WalledSandbox, tmp_path: Path) -> None:
    other = tmp_path / "python"
    other.touch()
    assert "is compiled for the interpreter mpt runs on" in str(afl_fuzzer.afl_missing(other))
    with pytest.raises(FuzzerError, match="is compiled for the interpreter mpt runs on"):
        fuzz(AflFuzzer(sandbox, other), BRANCHES, NUMBERS)
    assert afl_fuzzer.afl_missing(Path(sys.executable)) == afl_fuzzer.afl_missing()
