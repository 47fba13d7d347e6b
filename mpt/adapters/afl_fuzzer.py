"""AFL++ through python-afl as a Fuzzer (paper §3.2): goes deeper than the loop, and takes a second to start.

`py-afl-fuzz`, its fork server and the target all run behind the sandbox's wall. AFL's queue is read back as inputs;
where it holds too few, inputs that were executed fill it up, as in the paper. It needs the interpreter mpt itself runs
on, since python-afl is compiled for that.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Protocol

from mpt import worker
from mpt.adapters.fuzzing import Harvest, calls, specification
from mpt.adapters.sandbox import interpreter
from mpt.errors import FuzzerError
from mpt.ports import Watch
from mpt.spelling import value_of
from mpt.values import (
    Arguments,
    Campaign,
    ForeignType,
    FuzzBudget,
    Limits,
    Outcome,
    Parameter,
    Program,
    Raised,
    Returned,
)
from mpt.worker import choosing, codec, shapes

WORKER = Path(worker.__file__).parent
STALE_S = 0.5
"""With enough inputs, AFL goes on until it has found nothing new for so long."""
END_S = 5.0
"""Seconds it may take to end; then it is killed."""
_POLL_S = 0.1
_TRUE = value_of(True)
_MAX_LINE = 1 << 20
MOST = 200
"""Of AFL's queue, and of what was executed, so many are chosen from."""
CHOOSING = Limits(input_s=0.1, program_s=0.5)
"""What slow programs may hold up the choosing: an input they do not end on tells nothing anyway."""
_ENVIRONMENT = {
    "AFL_SKIP_CPUFREQ": "1",
    "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1",
    "AFL_NO_AFFINITY": "1",
    "AFL_NO_UI": "1",
    "AFL_NO_COLOR": "1",
    "AFL_FAST_CAL": "1",
    "AFL_DISABLE_TRIM": "1",
    "PYTHONHASHSEED": "0",
}
_REMEDY = "install AFL++ (Debian: apt install afl++) and python-afl (the extra 'fuzz'), or use --fuzzer loop"


class Inside(Protocol):
    """What AFL needs of a sandbox."""

    def run(
        self, programs: Sequence[Program], inputs: Sequence[Arguments], limits: Limits, watch: Watch
    ) -> tuple[tuple[Outcome, ...], ...]: ...

    def popen_inside(
        self,
        argv: Sequence[str],
        *,
        read_only_binds: Sequence[Path] = (),
        writable_tmpfs: Sequence[Path] = (),
        pass_fds: Sequence[int] = (),
        env: Mapping[str, str] | None = None,
    ) -> subprocess.Popen[bytes]: ...


@dataclass(frozen=True, slots=True)
class Installed:
    """Where AFL's parts are."""

    py_afl_fuzz: Path
    afl_fuzz: Path
    packages: Path
    """The folder that holds the module `afl`."""


def afl_missing(python: Path | None = None) -> str | None:
    """Why AFL cannot be used with that interpreter (None: the one mpt runs on), as a clause; None where it can."""
    found = _find(python)
    return found if isinstance(found, str) else None


def _same_environment(python: Path) -> bool:
    ours = Path(sys.executable)
    return python.absolute() in (ours, ours.parent, ours.parent.parent) or python.resolve() == ours.resolve()


def _find(python: Path | None) -> Installed | str:
    """AFL's parts, or what is missing."""
    if os.name != "posix":
        return "AFL++ does not run on this system"
    if python is not None and not _same_environment(python):
        return f"python-afl is compiled for the interpreter mpt runs on, not for {python}"
    module = importlib.util.find_spec("afl")
    if module is None or module.origin is None:
        return "python-afl is not installed"
    beside = Path(sys.executable).parent
    wrapper = shutil.which("py-afl-fuzz", path=os.pathsep.join((str(beside), os.environ.get("PATH", os.defpath))))
    if wrapper is None:
        return "python-afl's py-afl-fuzz is not on the path"
    afl = shutil.which("afl-fuzz")
    if afl is None:
        return "AFL++ (afl-fuzz) is not installed"
    return Installed(Path(wrapper).resolve(), Path(afl).resolve(), Path(module.origin).resolve().parent)


@dataclass(frozen=True, slots=True)
class AflFuzzer:
    """See the module. `python`: the interpreter that the sandbox runs programs on; None: the one mpt runs on.

    types: those that plugins tell of.
    """

    sandbox: Inside
    python: Path | None = None
    types: tuple[ForeignType, ...] = ()

    @property
    def name(self) -> str:
        return "afl"

    def fuzz(self, campaign: Campaign, budget: FuzzBudget, watch: Watch) -> tuple[Arguments, ...]:
        """See mpt.ports.Fuzzer. AFL fuzzes the target; other programs count when its finds are chosen from.

        A target that cannot be loaded gives no inputs, nor does one whose module cannot be imported: running it will
        say why.
        """
        installed = _find(self.python)
        if isinstance(installed, str):
            raise FuzzerError(f"{installed}: {_REMEDY}")
        queued, tried = (Harvest(campaign.parameters, campaign.seeds, self.name) for _ in range(2))
        with (
            tempfile.TemporaryDirectory(prefix="mpt-job-") as job,
            tempfile.TemporaryDirectory(prefix="mpt-afl-") as own,
        ):
            what = _job(campaign, budget) | self._module_of(campaign.target)
            process = self._start(installed, Path(job), Path(own), what)
            try:
                if not self._gather(process, queued, tried, budget, watch):
                    if campaign.seeds:  # there may be nothing else to find
                        return ()
                    raise FuzzerError(f"afl-fuzz found nothing within {budget.seconds:g} s: give it more (fuzz_s)")
            finally:
                _end(process)
        found = dict.fromkeys(queued.best(MOST), True)
        for one in (*_earlier(campaign, self.name), *tried.best(MOST)):
            found.setdefault(one, False)
        if campaign.precondition is not None:
            found = self._meant(campaign.precondition, found, watch)
        return self._chosen([campaign.target, *campaign.others], found, budget, watch)

    def _module_of(self, target: Program) -> dict[str, object]:
        """What the job says of the module that the target has its place in."""
        if target.place is None:
            return {}
        module, python = target.place.module, interpreter.find(self.python)
        return {
            "module": [module.name, module.text, module.path],
            "place": [target.place.name, target.place.kind],
            "types": [[one.name, one.source] for one in self.types if one.source],
            "roots": [root for root in module.roots if Path(root).is_dir()],
            "prefixes": list(map(str, python.prefixes)),
            "linked": list(map(str, python.linked)),
        }

    def _start(self, installed: Installed, job: Path, own: Path, what: dict[str, object]) -> subprocess.Popen[bytes]:
        """Starts the driver; `job` holds what it reads, `own` is empty and will hold what AFL writes."""
        python = [str(Path(sys.executable).resolve()), "-S", "-s", "-B"]
        file = str(job / "job.json")
        how = {
            "packages": str(installed.packages),
            "tried": str(own / "tried"),
            "folder": str(own),
            "command": ["sh", str(installed.py_afl_fuzz)],
            "environment": {**_ENVIRONMENT, "PATH": f"{installed.afl_fuzz.parent}:/usr/bin:/bin"},
            "target": [*python, str(WORKER / "afl_target.py"), file],
        }
        Path(file).write_text(json.dumps({**what, **how}), encoding="utf-8")
        return self.sandbox.popen_inside(
            [*python, str(WORKER / "afl_driver.py"), file],
            read_only_binds=[
                *(*_roots(what), job, WORKER),
                *(installed.packages, installed.py_afl_fuzz, installed.afl_fuzz.parent),
            ],
            writable_tmpfs=[own],
        )

    def _gather(
        self, process: subprocess.Popen[bytes], queued: Harvest, tried: Harvest, budget: FuzzBudget, watch: Watch
    ) -> bool:
        """Reads what AFL finds until time is up, or there is enough and nothing new comes; False: AFL was too slow."""
        deadline = time.monotonic() + budget.seconds
        news = time.monotonic()
        for kind, text in _heard(process, deadline, watch):
            now = time.monotonic()
            if kind == "failed":
                raise FuzzerError(f"afl-fuzz ended by itself ({_last_words(text)}): {_REMEDY}")
            if text == "unloadable":
                return True
            if kind == "queued":
                queued.add_bytes(_bytes(text))
                news = now
            elif kind == "tried":
                tried.add_bytes(_bytes(text))
            if len(queued) + len(tried) >= budget.inputs and now > news + STALE_S:
                break
        return len(queued) + len(tried) > 0

    def _meant(self, precondition: Program, found: dict[Arguments, bool], watch: Watch) -> dict[Arguments, bool]:
        """Those that the function is meant for."""
        [row] = self.sandbox.run([precondition], tuple(found), CHOOSING, watch)
        pairs = zip(found.items(), row, strict=True)
        return dict(item for item, outcome in pairs if isinstance(outcome, Returned) and outcome.value == _TRUE)

    def _chosen(
        self, programs: Sequence[Program], found: dict[Arguments, bool], budget: FuzzBudget, watch: Watch
    ) -> tuple[Arguments, ...]:
        """The best of what was found; True marks AFL's own queue: what reached something new."""
        rows = self.sandbox.run(programs, tuple(found), CHOOSING, watch)
        answers = [list(map(_answer, column)) for column in zip(*rows, strict=True)]
        tried = [
            choosing.Tried(arguments, column, 0, new)
            for (arguments, new), column in zip(found.items(), answers, strict=True)
            if column[0] != choosing.LATE
        ]
        return tuple(one.what for one in choosing.best(tried, budget.inputs, Random(budget.seed)))


def _earlier(campaign: Campaign, engine: str) -> tuple[Arguments, ...]:
    """What of the corpus still fits the parameters."""
    harvest = Harvest(campaign.parameters, campaign.seeds, engine)
    for positional, keyword in calls(campaign.corpus):
        harvest.add_call(positional, keyword)
    return harvest.best(MOST)


def _answer(outcome: Outcome) -> str:
    match outcome:
        case Returned(value):
            return choosing.plain(value.wire)
        case Raised(type_name):
            return "!" + type_name
    return choosing.LATE


def _roots(job: Mapping[str, object]) -> list[Path]:
    roots = job.get("roots", ())
    assert isinstance(roots, Sequence)
    return list(map(Path, roots))


def _job(campaign: Campaign, budget: FuzzBudget) -> dict[str, object]:
    encoded = _encoded(campaign.parameters, (*campaign.seeds, *campaign.corpus))
    return {
        "source": campaign.target.source,
        "entry_point": campaign.target.entry_point,
        "parameters": specification(campaign.parameters),
        "seeds": [data.hex() for data in encoded or _BLANK],
        "seed": budget.seed,
    }


_BLANK = (bytes(32), bytes(range(7, 71)))
"""To start from, where no example can be."""


def _encoded(parameters: Sequence[Parameter], seeds: Sequence[Arguments]) -> list[bytes]:
    """The seeds as bytes; those that no bytes decode to are left out. AFL refuses empty ones."""
    decoder = shapes.Parameters(specification(parameters))
    found = []
    for positional, keyword in calls(seeds):
        values = decoder.gather(
            [codec.build(tree) for tree in positional], {name: codec.build(tree) for name, tree in keyword.items()}
        )
        data = decoder.encode(values) if values is not None else None
        if data:
            found.append(data)
    return found


def _heard(process: subprocess.Popen[bytes], deadline: float, watch: Watch) -> Iterator[tuple[str, str]]:
    """What the driver says, ("", "") every now and then, until the deadline (monotonic). Raises FuzzerError."""
    assert process.stdout is not None
    fd = process.stdout.fileno()
    received = b""
    while (left := deadline - time.monotonic()) > 0:
        watch.check()
        if not select.select([fd], [], [], min(_POLL_S, left))[0]:
            yield "", ""
            continue
        data = os.read(fd, 1 << 16)
        if not data:
            raise FuzzerError(f"the driver of afl-fuzz ended ({_errors(process)}): {_REMEDY}")
        *lines, received = (received + data[:_MAX_LINE]).split(b"\n")
        yield from filter(None, map(_line, lines))


def _line(text: bytes) -> tuple[str, str] | None:
    """One line of the driver's; None where it is none: a program inside may have written there."""
    try:
        kind, said = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        return None
    return (kind, said) if isinstance(kind, str) and isinstance(said, str) else None


def _bytes(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""


def _last_words(log: str) -> str:
    """AFL's own reason: its last PROGRAM ABORT or complaint, on one line."""
    lines = [line.strip(" []-\t") for line in re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r", "", log).splitlines()]
    reasons = [line for line in lines if "ABORT" in line or "ERROR" in line] or [line for line in lines if line]
    return reasons[-1][:200] if reasons else "it said nothing"


def _errors(process: subprocess.Popen[bytes]) -> str:
    assert process.stderr is not None
    ready = select.select([process.stderr], [], [], 1.0)[0]
    lines = os.read(process.stderr.fileno(), 1 << 16).decode("utf-8", "replace").split("\n") if ready else []
    return next((line.strip()[:200] for line in reversed(lines) if line.strip()), "it said nothing")


def _end(process: subprocess.Popen[bytes]) -> None:
    """Told to end, the driver ends AFL and what AFL started; behind bubblewrap all goes with the wall anyway."""
    process.terminate()
    try:
        process.wait(END_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    for stream in (process.stdout, process.stderr):
        if stream:
            stream.close()
