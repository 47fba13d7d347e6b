"""Other people's ways of making inputs: each in an environment of its own, which is made here, inside the wall."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from kill_pairs import Pair

from mpt.adapters.sandbox import WalledSandbox, open_sandbox
from mpt.values import Arguments, Value
from mpt.worker import codec

PEERS = Path(__file__).parent / "peers"
PEER_S = 4.0
"""CPU seconds a peer may search; its start is not counted. Ours has a tenth of that."""
DEADLINE_S = 30.0
"""Wall clock after which it is ended."""


@dataclass(frozen=True, slots=True)
class Peer:
    """A script in `peers/` that prints inputs, one line of JSON each, until its time is up."""

    script: str
    packages: tuple[str, ...] = ()

    @contextmanager
    def opened(self, folder: Path) -> Iterator[OpenPeer]:
        """Its environment, in `folder`, made where it is not there, and a wall around it."""
        environment = folder / self.script
        if not (environment / "made").exists():
            _make(environment, self.packages)
        sandbox = open_sandbox("bubblewrap", environment)
        try:
            yield OpenPeer(self.script, environment, sandbox)
        finally:
            sandbox.close()


def _make(environment: Path, packages: tuple[str, ...]) -> None:
    python = environment / "bin/python"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True, stdout=sys.stderr)
    if packages:
        pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "-qq", *packages]
        subprocess.run(pip, check=True, stdout=sys.stderr)
    (environment / "made").touch()


@dataclass(frozen=True, slots=True)
class OpenPeer:
    """A peer that can be asked."""

    script: str
    environment: Path
    sandbox: WalledSandbox

    def inputs(self, pair: Pair, count: int) -> tuple[Arguments, ...]:
        """At most `count` inputs for the pair's target; where it wants two programs, beside a paraphrase program."""
        job = {
            "source": pair.task.prompt.preamble + pair.target.source,
            "other": (pair.paraphrases or (pair.target,))[0].source,
            "entry_point": pair.target.entry_point,
            "count": count,
            "seconds": PEER_S,
        }
        with tempfile.TemporaryDirectory(prefix="mpt-peer-") as folder:
            file = Path(folder) / "job.json"
            file.write_text(json.dumps(job), encoding="utf-8")
            process = self.sandbox.popen_inside(
                [
                    str((self.environment / "bin/python").resolve()),
                    "-S",
                    "-B",
                    str(PEERS / f"{self.script}.py"),
                    str(file),
                ],
                read_only_binds=[Path(folder), PEERS, Path(codec.__file__).parent, self.environment],
                env={"PEER_PACKAGES": str(next(self.environment.glob("lib/python3*/site-packages")))},
            )
            return _heard(process)[:count]


def _heard(process: subprocess.Popen[bytes]) -> tuple[Arguments, ...]:
    """The inputs a peer printed before it ended, or was ended."""
    assert process.stdout is not None
    deadline, received = time.monotonic() + DEADLINE_S, b""
    while (left := deadline - time.monotonic()) > 0 and select.select([process.stdout], [], [], left)[0]:
        data = os.read(process.stdout.fileno(), 1 << 16)
        if not data:
            break
        received += data
    process.kill()
    process.communicate()
    return tuple(dict.fromkeys(one for line in received.split(b"\n") if (one := _arguments(line)) is not None))


def _arguments(line: bytes) -> Arguments | None:
    try:
        trees = json.loads(line)
        return Arguments(tuple(Value(codec.dumps(codec.parse(codec.dumps(tree)))) for tree in trees))
    except (ValueError, TypeError):
        return None


PEERS_BY_WAY = {
    "random": Peer("random_types"),
    "hypothesis": Peer("hypothesis_types", ("hypothesis",)),
    "crosshair": Peer("crosshair_diff", ("crosshair-tool",)),
    "atheris": Peer("atheris_fuzz", ("atheris",)),
}
