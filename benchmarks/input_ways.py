"""The ways of making inputs that are measured against each other. None sees a test, a contract or a right program."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from kill_pairs import Pair

from mpt.adapters.afl_fuzzer import AflFuzzer
from mpt.adapters.loop_fuzzer import LoopFuzzer
from mpt.adapters.sandbox import WalledSandbox, open_sandbox
from mpt.errors import FuzzerError
from mpt.inputs import Unbuildable, examples_of, parameters_of, precondition_of
from mpt.values import Arguments, FuzzBudget, Parameter, Program, Value
from mpt.worker import codec

INPUTS = 20
"""What every way may hand out, the docstring's examples among them where it uses those."""
EXECUTIONS = 300
"""Inputs our loop tries on all programs."""
PEERS = Path(__file__).parent / "peers"
PEER_S = 8.0
"""Seconds a peer, or AFL, has for one target, its start included."""


class Unwatched:
    def phase(self, name: str, total: int) -> None: ...

    def advance(self, steps: int = 1) -> None: ...

    def check(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Bench:
    """What a way may use."""

    sandbox: WalledSandbox
    environments: Path


@dataclass(frozen=True, slots=True)
class Known:
    """What a prompt and the target's source give."""

    parameters: tuple[Parameter, ...]
    seeds: tuple[Arguments, ...]
    precondition: Program | None


Way = Callable[[Pair, Bench], tuple[Arguments, ...]]


def _known(pair: Pair) -> Known | None:
    examples = examples_of(pair.task.prompt)
    try:
        parameters = parameters_of(pair.task.prompt, examples, pair.target.source)
    except Unbuildable:
        return None
    seeds = tuple(dict.fromkeys(example.arguments for example in examples))
    return Known(parameters, seeds[: INPUTS // 2], precondition_of(pair.task.prompt, parameters, examples))


# --- ours -----------------------------------------------------------------------------------------


def loop(*, others: bool = False, domain: bool = False, executions: int = EXECUTIONS) -> Way:
    """Our in-process loop; `others`: on all programs, not the target alone."""

    def way(pair: Pair, bench: Bench) -> tuple[Arguments, ...]:
        known = _known(pair)
        if known is None:
            return ()
        budget = FuzzBudget(inputs=INPUTS - len(known.seeds), executions=executions)
        found = LoopFuzzer(bench.sandbox).fuzz(
            pair.target,
            known.parameters,
            known.seeds,
            budget,
            Unwatched(),
            pair.paraphrases if others else (),
            known.precondition if domain else None,
        )
        return (*known.seeds, *found)

    return way


def afl(*, seeds: bool = True) -> Way:
    """AFL on the target alone; without seeds in what is handed out it is the paper's setting: AFL's own finds."""

    def way(pair: Pair, bench: Bench) -> tuple[Arguments, ...]:
        known = _known(pair)
        if known is None:
            return ()
        first = known.seeds if seeds else ()
        budget = FuzzBudget(inputs=INPUTS - len(first), seconds=PEER_S)
        try:
            found = AflFuzzer(bench.sandbox).fuzz(pair.target, known.parameters, known.seeds, budget, Unwatched())
        except FuzzerError:
            found = ()
        return (*first, *found)

    return way


# --- peers, each in an environment of its own, inside the wall -------------------------------------


def peer(script: str, packages: Sequence[str]) -> Way:
    """A script that prints inputs, one line of JSON each, until its time is up."""

    def way(pair: Pair, bench: Bench) -> tuple[Arguments, ...]:
        environment = environment_of(bench.environments, script, packages)
        job = {
            "source": pair.task.prompt.preamble + pair.target.source,
            "other": pair.paraphrases[0].source if pair.paraphrases else pair.target.source,
            "entry_point": pair.target.entry_point,
            "count": INPUTS,
            "seconds": PEER_S - 1,
        }
        sandbox = open_sandbox("bubblewrap", environment)
        try:
            with tempfile.TemporaryDirectory(prefix="mpt-peer-") as folder:
                file = Path(folder) / "job.json"
                file.write_text(json.dumps(job), encoding="utf-8")
                process = sandbox.popen_inside(
                    [str((environment / "bin/python").resolve()), "-S", "-B", str(PEERS / f"{script}.py"), str(file)],
                    read_only_binds=[Path(folder), PEERS, Path(codec.__file__).parent, environment],
                    env={"PEER_PACKAGES": str(next(environment.glob("lib/python3*/site-packages")))},
                )
                return _heard(process)
        finally:
            sandbox.close()

    return way


def environment_of(folder: Path, name: str, packages: Sequence[str]) -> Path:
    """The peer's virtual environment, made when it is not there."""
    environment = folder / name
    if not (environment / "made").exists():
        subprocess.run([sys.executable, "-m", "venv", environment], check=True, stdout=sys.stderr)
        if packages:
            pip = [environment / "bin/python", "-m", "pip", "install", "-q", *packages]
            subprocess.run(pip, check=True, stdout=sys.stderr)
        (environment / "made").touch()
    return environment


def _heard(process: subprocess.Popen[bytes]) -> tuple[Arguments, ...]:
    """The inputs a peer printed before its time was up."""
    assert process.stdout is not None
    deadline, received = time.monotonic() + PEER_S, b""
    while (left := deadline - time.monotonic()) > 0 and select.select([process.stdout], [], [], left)[0]:
        data = os.read(process.stdout.fileno(), 1 << 16)
        if not data:
            break
        received += data
    process.kill()
    process.communicate()
    found = [one for line in received.split(b"\n") if (one := _arguments(line)) is not None]
    return tuple(dict.fromkeys(found))[:INPUTS]


def _arguments(line: bytes) -> Arguments | None:
    try:
        trees = json.loads(line)
        return Arguments(tuple(Value(codec.dumps(codec.parse(codec.dumps(tree)))) for tree in trees))
    except (ValueError, TypeError):
        return None


WAYS: dict[str, Way] = {
    "random": peer("random_types", ()),
    "hypothesis": peer("hypothesis_types", ("hypothesis",)),
    "crosshair": peer("crosshair_diff", ("crosshair-tool",)),
    "atheris": peer("atheris_fuzz", ("atheris",)),
    "loop on the target": loop(),
    "AFL on the target": afl(),
    "paper": afl(seeds=False),
    "mpt": loop(others=True, domain=True),
    "mpt without other programs": loop(domain=True),
    "mpt without the domain": loop(others=True),
}
