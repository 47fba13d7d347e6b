"""The sandbox against the real walls of this machine."""

from __future__ import annotations

import datetime
import importlib.util
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import mpt
from builders import Unknown, arguments, program, returned
from fakes import FakeWatch
from mpt.adapters.sandbox import WalledSandbox, open_sandbox, report_all
from mpt.adapters.sandbox.choice import choose, remedy, start, try_out
from mpt.adapters.sandbox.interpreter import find
from mpt.adapters.sandbox.process import Setup
from mpt.adapters.sandbox.running import parallel
from mpt.adapters.sandbox.walls import PlainProcess
from mpt.errors import Cancelled, FuzzerError, NoWall, SettingsError
from mpt.spelling import value_of
from mpt.values import Arguments, Limits, Module, Outcome, Place, Raised, Returned, Stopped, Value

REPORTS = {report.wall: report for report in report_all()}
HELD = [wall for wall, report in REPORTS.items() if report.holds]
LIMITS = Limits(input_s=0.3, program_s=3.0, memory_bytes=256 << 20)
WITHOUT_FORK = Setup(PlainProcess(forks=False), find(None))
"""How "none" is on Windows."""


@pytest.fixture(scope="module", params=[*HELD, "none", "without fork"])
def sandbox(request: pytest.FixtureRequest) -> Iterator[WalledSandbox]:
    opened = WalledSandbox(start(WITHOUT_FORK)) if request.param == "without fork" else open_sandbox(request.param)
    yield opened
    opened.close()


def outcomes(sandbox: WalledSandbox, source: str, *inputs: object) -> tuple[Outcome, ...]:
    rows = sandbox.run([program(source)], [arguments(value) for value in inputs], LIMITS, FakeWatch())
    return rows[0]


def values(row: tuple[Outcome, ...]) -> list[Value | None]:
    return [outcome.value if isinstance(outcome, Returned) else None for outcome in row]


def test_a_value_comes_back_with_the_arguments_as_they_are_afterwards(sandbox: WalledSandbox) -> None:
    [outcome] = outcomes(sandbox, "def f(x):\n    x.append(3)\n    return len(x)\n", [1, 2])
    assert outcome == Returned(returned(3).value, (returned([1, 2, 3]).value,))


def test_arguments_are_made_anew_for_every_call(sandbox: WalledSandbox) -> None:
    row = outcomes(
        sandbox, "kept = []\ndef f(x):\n    kept.append(x)\n    x.append(1)\n    return kept[0] is x\n", [], []
    )
    assert values(row) == [returned(True).value, returned(False).value]


def test_keyword_arguments(sandbox: WalledSandbox) -> None:
    call = Arguments((returned(1).value,), (("y", returned([2]).value),))
    [[outcome]] = sandbox.run([program("def f(x, *, y): y += [x]")], [call], LIMITS, FakeWatch())
    assert outcome == Returned(returned(None).value, (returned(1).value, returned([2, 1]).value))


def test_an_exception_is_a_value(sandbox: WalledSandbox) -> None:
    assert outcomes(sandbox, "def f(x): raise ValueError('no')", 1) == (Raised("ValueError", "no"),)


def test_an_exception_the_program_makes_up_is_not_the_walls(sandbox: WalledSandbox) -> None:
    assert outcomes(sandbox, "def f(x): raise PermissionError('not you')", 1) == (Raised("PermissionError", "not you"),)


def test_a_call_that_does_not_end_stops_that_call_alone(sandbox: WalledSandbox) -> None:
    row = outcomes(sandbox, "def f(x):\n    while x == 1: pass\n    return x\n", 0, 1, 2)
    assert row[1] == Stopped("time")
    assert values(row) == [returned(0).value, None, returned(2).value]


def test_after_three_stops_the_rest_is_not_tried(sandbox: WalledSandbox) -> None:
    row = outcomes(sandbox, "import os\ndef f(x):\n    if x: os._exit(7)\n    return x\n", 0, 1, 0, 1, 0, 1, 0, 0)
    stopped = Stopped("exit", "exit status 7")
    assert values(row)[:5:2] == [returned(0).value] * 3
    assert row[1::2] == (stopped,) * 4
    assert row[6] == stopped


NOW = datetime.datetime(2024, 1, 2, 3, 4, 5)


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("time.time()", NOW.replace(tzinfo=datetime.UTC).timestamp()),
        ("time.time_ns()", int(NOW.replace(tzinfo=datetime.UTC).timestamp()) * 10**9),
        ("[time.gmtime().tm_year, time.localtime(None).tm_hour]", [2024, 3]),
        ("[time.ctime(), time.asctime()]", ["Tue Jan  2 03:04:05 2024"] * 2),
        ("time.strftime('%Y %H')", "2024 03"),
        ("[time.gmtime(0).tm_year, time.strftime('%Y', time.gmtime(0))]", [1970, "1970"]),
        ("[datetime.datetime.now(), datetime.datetime.utcnow(), datetime.datetime.today()]", [NOW] * 3),
        ("datetime.datetime.now(datetime.timezone.utc).isoformat()", "2024-01-02T03:04:05+00:00"),
        ("datetime.date.today()", NOW.date()),
        ("pickle.loads(pickle.dumps(datetime.datetime.now())) == datetime.datetime.now()", True),
        ("type(datetime.datetime.now()) is type(datetime.datetime(1, 1, 1)) is datetime.datetime", True),
        ("time.perf_counter() != time.perf_counter() or time.monotonic() > 0", True),
    ],
)
def test_it_is_always_the_same_moment(sandbox: WalledSandbox, asked: str, answer: object) -> None:
    source = f"import datetime, pickle, time\ndef f(x):\n    return {asked}\n"
    assert values(outcomes(sandbox, source, 1, 2)) == [value_of(answer)] * 2


def test_what_the_checks_time_does_not_reach_is_stopped(sandbox: WalledSandbox) -> None:
    sleepers = [program(f"import time\ndef f(x): time.sleep(x) # {number}") for number in range(parallel() + 4)]
    limits = replace(LIMITS, input_s=100.0, program_s=100.0, check_s=0.5)
    watch = FakeWatch()
    rows = sandbox.run([*sleepers, sleepers[0]], [arguments(0), arguments(60)], limits, watch)
    over = Stopped("time", "the check's limit")
    assert {row[1] for row in rows} == {over}
    assert rows[-2:] == ((over, over), (over, over))
    assert watch.steps == len(rows)
    assert values(outcomes(sandbox, "def f(x): return x", 1)) == [returned(1).value]


def test_a_program_that_does_not_load_says_why_for_every_input(sandbox: WalledSandbox) -> None:
    stopped = Stopped("load", "ModuleNotFoundError: No module named 'nosuchmodule'")
    assert outcomes(sandbox, "import nosuchmodule\ndef f(x): return x\n", 1, 2) == (stopped, stopped)


def test_a_program_without_the_function(sandbox: WalledSandbox) -> None:
    assert outcomes(sandbox, "def g(x): return x", 1) == (Stopped("load", "NameError: it defines no function f"),)


def test_answers_that_are_too_long_together(sandbox: WalledSandbox) -> None:
    limits = Limits(output_bytes=10_000)
    calls = [arguments(number) for number in range(100)]
    [row] = sandbox.run([program("def f(x): return str(x) * 4_000")], calls, limits, FakeWatch())
    assert isinstance(row[0], Returned)
    assert row[-1] == Stopped("output", "all its answers together are too long")
    assert sandbox.run([program("def f(x): return x")], calls[:1], limits, FakeWatch()) == (
        (Returned(returned(0).value, (returned(0).value,)),),
    )


def test_what_is_printed_comes_apart(sandbox: WalledSandbox) -> None:
    source = "import sys\ndef f(x):\n    print('seen', x)\n    print('odd', file=sys.stderr)\n    return x\n"
    [run] = sandbox.runs([program(source)], [arguments(1), arguments(2)], LIMITS, FakeWatch())
    assert (run.stdout, run.stderr) == ("seen 1\nseen 2\n", "odd\nodd\n")
    assert values(run.outcomes) == [returned(1).value, returned(2).value]
    assert run.cpu_s > 0


def test_dataclasses_and_exceptions_of_the_programs_own(sandbox: WalledSandbox) -> None:
    source = "import dataclasses\n@dataclasses.dataclass\nclass P:\n    x: int\ndef f(x): return P(x)\n"
    [outcome] = outcomes(sandbox, source, 3)
    assert isinstance(outcome, Returned)
    assert outcome.value.wire == '{"record":["P",[["x",3]]]}'


FOREIGN = {
    "numpy": (
        "def f(x): return [numpy.int64(x), numpy.float32(0.5), numpy.array([[1, x]]), numpy.bool_(x)]",
        '[3,0.5,{"array":["int64",[1,2],[1,3]]},true]',
    ),
    "pandas": (
        "def f(x):\n    columns = pandas.Index(['a'], dtype=object)\n"
        "    return [pandas.Series([x, 2]), pandas.DataFrame([[x], [None]], columns=columns), pandas.NaT]",
        '[{"series":[null,{"index":["RangeIndex",[null],[["int64",[0,1]]],""]},"int64",[3,2]]},'
        '{"frame":[{"index":["RangeIndex",[null],[["int64",[0,1]]],""]},'
        '{"index":["Index",[null],[["object",["a"]]],""]},[["float64",[3.0,NaN]]]]},{"missing":"NaT"}]',
    ),
}
"""By package, of those that are installed: a program, and the text of what it returns for 3."""


@pytest.mark.parametrize("package", [name for name in FOREIGN if importlib.util.find_spec(name)])
def test_values_of_other_packages_come_as_plain_ones(sandbox: WalledSandbox, package: str) -> None:
    source, wire = FOREIGN[package]
    rows = sandbox.run([program(f"import {package}\n{source}")], [arguments(3)], Limits(load_s=20.0), FakeWatch())
    [[outcome]] = rows
    assert isinstance(outcome, Returned), outcome
    assert outcome.value.wire == wire


def test_an_input_that_cannot_be_rebuilt(sandbox: WalledSandbox) -> None:
    [outcome] = outcomes(sandbox, "def f(x): return x", Unknown())
    assert isinstance(outcome, Stopped)
    assert outcome.cause == "load"
    assert "cannot be rebuilt" in outcome.detail


def test_the_same_program_again_runs_under_another_hash_seed(sandbox: WalledSandbox) -> None:
    """So a function that depends on the order of a set of strings, or on chance, disagrees with itself."""
    unsteady = "import random\ndef f(x): return [list({'a', 'b', 'c', 'd', 'e', 'f'}), random.random()]"
    steady = "def f(x): return sorted({'a', 'b', 'c'})"
    programs = [program(unsteady), program(steady), program(unsteady), program(steady)]
    once, plain, again, plain_again = sandbox.run(programs, [arguments(1)], LIMITS, FakeWatch())
    assert once != again
    assert plain == plain_again
    assert sandbox.run(programs[:1], [arguments(1)], LIMITS, FakeWatch()) == (once,)


def test_every_program_is_counted_once(sandbox: WalledSandbox) -> None:
    watch = FakeWatch()
    sandbox.run([program("def f(x): return x", n) for n in range(7)], [arguments(1)], LIMITS, watch)
    assert watch.steps == 7


def test_stopping_is_obeyed_and_the_sandbox_still_works(sandbox: WalledSandbox) -> None:
    with pytest.raises(Cancelled):
        sandbox.run([program("def f(x):\n    while True: pass\n")], [arguments(1)], LIMITS, FakeWatch(cancel_at=2))
    assert outcomes(sandbox, "def f(x): raise KeyError(1)", 1) == (Raised("KeyError", "1"),)


def test_more_memory_than_the_machine_has_is_refused(sandbox: WalledSandbox) -> None:
    with pytest.raises(SettingsError, match="memory_bytes"):
        sandbox.run([program("def f(x): return x")], [arguments(1)], Limits(memory_bytes=1 << 50), FakeWatch())


def called(sandbox: WalledSandbox, source: str) -> list[object]:
    request = {"source": source, "entry_point": "f", "seed": 0, "first": 0, "lines": ["P[1]", "P[2]"]}
    return list(sandbox.call("runner", request, LIMITS, FakeWatch()))


def test_a_task_of_the_worker_streams_what_it_emits(sandbox: WalledSandbox) -> None:
    assert called(sandbox, "def f(x): return x") == [["loaded"], [0, "returned"], [1, "returned"]]


def test_a_task_that_is_ended_says_so_last(sandbox: WalledSandbox) -> None:
    assert called(sandbox, "def f(x):\n    while x == 2: pass") == [["loaded"], [0, "returned"], Stopped("time")]


def test_a_task_in_whose_frames_a_program_writes_is_ended(sandbox: WalledSandbox) -> None:
    *_, last = called(sandbox, "import os\ndef f(x): os.write(3, bytes(range(255)))")
    assert isinstance(last, Stopped)
    assert last.cause == "blocked"


def test_a_tool_may_make_processes_but_sees_no_more() -> None:
    sandbox = open_sandbox("bubblewrap")
    tool = sandbox.popen_inside(["/bin/sh", "-c", "touch /tmp/mine && ls /tmp; touch /usr/theirs || echo refused"])
    out, _ = tool.communicate(timeout=20)
    sandbox.close()
    ours = [path.parts[2] for path in [Path(mpt.__file__)] if path.is_relative_to("/tmp")]  # a checkout below /tmp
    assert sorted(out.decode().split()) == sorted({"mine", "refused", *ours})


def test_only_bubblewrap_holds_tools() -> None:
    sandbox = open_sandbox("landlock")
    with pytest.raises(FuzzerError, match="bubblewrap"):
        sandbox.popen_inside(["/bin/sh"])
    sandbox.close()


def test_no_wall_is_reported_for_what_it_is() -> None:
    report = REPORTS["none"]
    assert not report.holds
    assert {"network", "files of the host", "new processes"} <= {f.what for f in report.findings if not f.held}


def test_without_fork_the_trial_says_that_it_is_weaker_and_untried() -> None:
    report, worker = try_out(WITHOUT_FORK)
    assert worker
    worker.close()
    assert not report.holds
    assert "can do whatever you can do" in report.caveats[0]
    assert "never tried" in report.caveats[1]
    held = {finding.what for finding in report.findings if finding.held}
    assert {"memory", "environment"} <= held
    assert not {"network", "files of the host", "new processes"} & held


def test_without_fork_each_process_imports_the_module() -> None:
    sandbox = WalledSandbox(start(WITHOUT_FORK))
    module = Module("m", "LIMIT = 3\ndef f(x):\n    return x + LIMIT\n")
    importing = sandbox.imported(module, LIMITS, FakeWatch())
    placed = replace(program("def f(x):\n    return x * LIMIT\n"), place=Place(module, "f"))
    [[outcome]] = sandbox.run([placed], [arguments(4)], LIMITS, FakeWatch())
    broken = sandbox.imported(Module("n", "import no_such_module"), LIMITS, FakeWatch())
    sandbox.close()
    assert importing.failure is None
    assert isinstance(outcome, Returned)
    assert outcome.value == returned(12).value
    assert broken.failure is not None
    assert "no_such_module" in broken.failure


def test_windows_has_no_wall_and_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(NoWall, match=r"nothing is run .* run mpt inside WSL"):
        choose("auto", WITHOUT_FORK)


def test_an_unknown_wall() -> None:
    with pytest.raises(SettingsError, match="'sandbox' is one of auto, bubblewrap, landlock"):
        open_sandbox("firejail")


def test_without_a_wall_nothing_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoWall, match=r"bubblewrap is not installed \(Debian, Ubuntu: apt install bubblewrap\)"):
        open_sandbox("bubblewrap")


def test_a_bubblewrap_that_may_not_make_name_spaces(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    bwrap = tmp_path / "bwrap"
    bwrap.write_text("#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2\nexit 1\n")
    bwrap.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoWall, match=r"bubblewrap could not build the wall \(bwrap: setting up uid map"):
        open_sandbox("bubblewrap")


def test_a_wall_that_lets_something_through_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A bwrap that builds no wall at all; landlock and seccomp still hold, so the environment gives it away."""
    bwrap = tmp_path / "bwrap"
    bwrap.write_text('#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nshift\nexport LEAK=1\nexec "$@"\n')
    bwrap.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoWall, match="it lets through: environment"):
        open_sandbox("bubblewrap")


@pytest.mark.parametrize(
    ("file", "text", "says"),
    [
        ("proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1", "Ubuntu's AppArmor"),
        ("proc/sys/kernel/unprivileged_userns_clone", "0", "sudo sysctl kernel.unprivileged_userns_clone=1"),
        ("proc/sys/user/max_user_namespaces", "0", "sudo sysctl user.max_user_namespaces=10000"),
        (".dockerenv", "", "--security-opt seccomp=unconfined"),
        ("nothing", "", ""),
    ],
)
def test_the_remedy_fits_the_machine(tmp_path: Path, file: str, text: str, says: str) -> None:
    (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / file).write_text(text + "\n")
    assert says in remedy(tmp_path)
    assert bool(remedy(tmp_path)) == bool(says)
