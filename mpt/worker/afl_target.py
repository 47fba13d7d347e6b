"""What `py-afl-fuzz` runs: decodes AFL's bytes into arguments and calls the target, in persistent mode.

    python afl_target.py JOB

JOB is a JSON file: source, entry_point, parameters (see `mpt.worker.shapes`), packages (the folder that holds the
module `afl`), tried (the file to which the bytes of executed inputs go, a line of hex each); for a target with a place
in a module also module (name, text, path), place (see `mpt.worker.context.placed`), roots, prefixes and linked (as for
`mpt.worker.__main__`), types (see `mpt.worker.told.read`). The module is imported once, before AFL's fork server
starts.

The invariant: the tracer is on while the target's own lines run, and at no other time. It hashes file names and line
numbers into AFL's map, so the target has a constant file name, and decoding or the standard library never count.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROUNDS = 10_000
"""Calls a process makes before AFL forks a fresh one."""
MAX_BYTES = 1 << 10
ANSWERS, ALIKE = 100, 20
"""Executed inputs are written down: of so many different answers, so many each."""


def main() -> None:
    """Never returns."""
    job = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    _make_importable(Path(__file__).parent)
    from mpt.worker import codec, runner, settling, shapes, start
    from mpt.worker.arguments import Unmakeable
    from mpt.worker.context import FILE

    ours = start.hide_ourselves()  # the document's module may be called mpt
    imported = ours["mpt.worker.context"].imported
    told, _ = ours["mpt.worker.told"].read(job.get("types", []))
    sys.path.append(job["packages"])
    import afl

    parameters = shapes.Parameters(job["parameters"])
    tried = Tried(
        os.open(job["tried"], os.O_WRONLY | os.O_CREAT | os.O_APPEND), lambda value: codec.encode(value, told)
    )
    try:
        context = None
        if "module" in job:
            start.settle(job)
            context = imported(*job["module"], {})
            context.told = told
        loaded = runner.load(job["source"], job["entry_point"], context, job.get("place"))
    except BaseException:
        os.write(tried.fd, b"unloadable\n")
        os._exit(1)
    while afl.loop(ROUNDS):
        trace = sys.gettrace()
        sys.settrace(None)
        os.lseek(0, 0, os.SEEK_SET)
        data = os.read(0, MAX_BYTES)
        values = parameters.decode(data)
        with contextlib.suppress(Unmakeable):
            made = loaded.maker.all(shapes.copied(values))
            answer = call(loaded.function, *parameters.spread(made), only(trace, FILE), settling.settled)
            loaded.changed()
            tried.note(data, values, answer)
        sys.settrace(trace)
    os._exit(0)


def call(
    function: Any, positional: list[Any], keyword: dict[str, Any], trace: Any, settled: Callable[[Any], Any]
) -> object:
    """What the target answers, or the type of what it raises: an exception is no crash."""
    random.seed(0)
    sys.settrace(trace)
    try:
        return settled(function(*positional, **keyword))
    except BaseException as error:
        return type(error)
    finally:
        sys.settrace(None)


def only(trace: Any, file: str) -> Any:
    """The tracer for that file's code alone."""
    return lambda frame, event, argument: trace(frame, event, argument) if frame.f_code.co_filename == file else None


class Tried:
    """Writes down the bytes of the first inputs with each answer."""

    def __init__(self, fd: int, encode: Callable[[Any], str]) -> None:
        self.fd = fd
        self.encode = encode
        self.answers: dict[str, set[str]] = {}

    def note(self, data: bytes, arguments: object, answer: object) -> None:
        alike = self.answers.setdefault(self.encode(answer)[:100], set())
        if len(alike) < ALIKE and len(self.answers) < ANSWERS and (text := self.encode(arguments)) not in alike:
            alike.add(text)
            os.write(self.fd, data.hex().encode("ascii") + b"\n")


def _make_importable(folder: Path) -> None:
    package = types.ModuleType("mpt")
    package.__path__ = [str(folder.parent)]
    sys.modules["mpt"] = package


if __name__ == "__main__":
    main()
