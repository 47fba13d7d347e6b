"""From a fresh interpreter to a zygote that serves: paths, warm modules, confinement, the greeting."""

from __future__ import annotations

import contextlib
import gc
import importlib
import importlib.util
import json
import os
import site
import socket
import sys
import time
import traceback
from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, Optional

from mpt.worker import confine, instant
from mpt.worker.channel import Channel
from mpt.worker.zygote import FRAMES, Zygote

if TYPE_CHECKING:
    from mpt.worker.context import Context

FAILED = 70
"""Exit status of a child whose task broke: our own failure, or the program's hand in our code."""
IMPORT = "import"
_WARM = (
    *("mpt.worker.runner", "bisect", "collections", "copy", "functools", "heapq", "itertools", "math", "operator"),
    *("random", "re", "string", "typing", "dataclasses", "datetime", "decimal", "fractions", "enum", "statistics"),
)
"""What most programs import: loaded once here, not once a program."""
_REHEARSALS = 20
_REHEARSAL = {
    "source": "from typing import List\n\ndef f(a: List[int], b: List[str]) -> List[int]:\n    return sorted(a)\n",
    "entry_point": "f",
    "seed": 0,
    "first": 0,
}
_FOR_CONTEXTS = ("mpt.worker.loop", "asyncio")
"""And where a module is imported: every function of it is fuzzed; ours must not look for their place beside its own."""


def serve(control_fd: int, options: dict[str, Any]) -> None:
    """Greets the parent with one line of JSON and serves until it goes. Never returns."""
    unshared = options["unshare"] and _unshare(control_fd)
    os.environ.pop("LD_BIND_NOW", None)  # it has done its work: symbols are looked up once, and not in every child
    _warm()
    for name in _FOR_CONTEXTS if options["context"] else ():
        importlib.import_module(name)
    settle(options)
    confinement = confine.prepare(options["readable"]) if options["confine"] else confine.NOTHING
    control = socket.socket(fileno=control_fd)
    control.sendall(greeting(confinement, unshared))
    _rehearse()
    ours = hide_ourselves()
    if options["context"]:
        detach(ours)
    context = _context(control, options["grants"], confinement, ours) if options["context"] else None
    Zygote(control, options["idle_s"], lambda fd: child(fd, confinement, ours, context)).serve()


def settle(options: dict[str, Any]) -> None:
    """Paths, limits that are the same for all, and the moment that it is for ever."""
    site.setquit()
    sys.argv = [""]
    sys.path[:0] = options["roots"]
    sys.path += [
        path for path in (*site.getsitepackages(options["prefixes"]), *options["linked"]) if path not in sys.path
    ]
    confine.limit_all()
    instant.fix()


def _context(
    control: socket.socket, grants: Optional[int], confinement: confine.Confinement, ours: dict[str, ModuleType]
) -> Optional[Context]:
    """The document's module, imported as the parent tells; None where it cannot be. The parent hears of it.

    The parent sends eight bytes, a length, and so much JSON (name, text, path, memory_bytes, cpu_s, nonce, types of
    plugins, packages to look for), and gets a line of JSON: nonce, failure (null or why), notes, absent (packages),
    untold (types, and why).
    """
    size = int.from_bytes(control.recv(8, socket.MSG_WAITALL), "big")
    asked = json.loads(control.recv(size, socket.MSG_WAITALL))
    nonce, dumps = asked["nonce"], json.dumps
    confinement.before_importing(asked["memory_bytes"], asked["cpu_s"], grants, control)
    process, exit_now = os.getpid(), os._exit
    context, found = _imported(asked, ours)
    if os.getpid() != process:
        exit_now(0)  # it has forked, and this is not the process that serves
    control.sendall(dumps({"nonce": nonce, **found}).encode("ascii") + b"\n")
    return context


def _imported(asked: dict[str, Any], ours: dict[str, ModuleType]) -> tuple[Optional[Context], dict[str, Any]]:
    """The module, None where it cannot be imported; and what there is to tell: failure, notes, absent, untold."""
    imported = ours["mpt.worker.context"].imported
    types, untold = ours["mpt.worker.told"].read(asked["types"])
    absent = [package for package in asked["packages"] if not _is_installed(package)]
    context, failure = None, None
    notes: dict[str, None] = {}
    gc.enable()
    try:
        context = imported(asked["name"], asked["text"], asked["path"], notes)
        context.told = types
    except BaseException as error:
        failure = ours["mpt.worker.runner"].describe(error)
    return context, {"failure": failure, "notes": list(notes), "absent": absent, "untold": untold}


def _is_installed(package: str) -> bool:
    try:
        return package in sys.modules or importlib.util.find_spec(package) is not None
    except (ImportError, ValueError):
        return False


def _warm() -> None:
    """Without the hooks that modules have for a fork: that of `random` asks the system for a seed; tasks set theirs."""
    system: Any = os
    register, system.register_at_fork = system.register_at_fork, lambda **hooks: None
    try:
        for name in _WARM:
            importlib.import_module(name)
    finally:
        system.register_at_fork = register


def _rehearse() -> None:
    """Does what every child will do, so that the interpreter's caches and specialised code are there before the fork.

    A child costs what the pages cost that it is the first to write on.
    """
    modules = dict(sys.modules)
    from mpt.worker import runner

    head = {"nonce": "0" * 16, "frame_bytes": 1 << 20, "body": _REHEARSAL}
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for _ in range(_REHEARSALS):
        request, writer = os.pipe()
        os.write(writer, json.dumps(head).encode("ascii") + b'\nP[[2,1],["a"]]')
        os.close(writer)
        channel = Channel(request, nowhere)
        runner.run(channel.request["body"], channel)
    os.close(nowhere)
    sys.modules.clear()
    sys.modules.update(modules)


def _unshare(control_fd: int) -> bool:
    from mpt.worker import namespaces  # only one wall needs them

    return namespaces.enter(control_fd)


def greeting(confinement: confine.Confinement, unshared: bool) -> bytes:
    """What we say of ourselves to the parent, in one line."""
    holds = {"landlock": confinement.rules is not None, "seccomp": confinement.filter is not None, "unshared": unshared}
    greeting = {"version": sys.version_info[:3], "calibration_s": min(_calibrate() for _ in range(3)), **holds}
    return json.dumps(greeting).encode("ascii") + b"\n"


def _calibrate() -> float:
    """CPU seconds of a fixed piece of work: about 0.002 on a laptop of 2020."""
    start, value = time.process_time(), 0
    for number in range(20_000):
        value = (value * 31 + number) % 1_000_003
    return time.process_time() - start


def child(
    request_fd: int,
    confinement: confine.Confinement,
    ours: dict[str, ModuleType],
    context: Optional[Context] = None,
) -> None:
    """Does what the request says; `ours`: our modules, hidden. Never returns.

    Where it comes with a module to be imported (there was no zygote to do that), that is imported first, and does not
    go on where it cannot be. The task IMPORT is that alone, and tells what came of it.
    """
    streams = (sys.stdout, sys.stderr)
    try:
        channel = Channel(request_fd, FRAMES)
        request = channel.request
        name = "mpt.worker." + request["task"]
        load((name,) if request["task"] != IMPORT else (), ours)
        confinement.apply(request["memory_bytes"], request["cpu_s"])
        failure = None
        if "module" in request:
            detach(ours)
            context, found = _imported(request["module"], ours)
            failure = found["failure"]
            if request["task"] == IMPORT:
                channel(found)
            elif failure is not None:
                channel(["unloadable", "its module cannot be imported: " + failure])
        if request["task"] != IMPORT and failure is None:
            gc.enable()
            task: Any = ours[name]
            task.run(request["body"], channel, context)
    except BaseException:
        traceback.print_exc()
        os._exit(FAILED)
    finally:
        for stream in streams:
            with contextlib.suppress(BaseException):  # closed, or replaced, by the program
                stream.flush()
    channel.done()
    os._exit(0)


def detach(ours: dict[str, ModuleType]) -> None:
    """Our modules get copies of those they use: what a document's module puts in place of `os.fork` does not reach us.

    Not of `sys`, in which we set what programs find.
    """
    copies: dict[str, ModuleType] = {}
    for module in ours.values():
        for name, value in list(vars(module).items()):
            if isinstance(value, ModuleType) and value is not sys and value.__name__ not in ours:
                own = copies.setdefault(value.__name__, ModuleType(value.__name__))
                own.__dict__.update(value.__dict__)
                setattr(module, name, own)


def load(names: Sequence[str], ours: dict[str, ModuleType]) -> None:
    """Sees to it that modules of ours are among the hidden ones."""
    for name in names:
        if name not in ours:
            sys.modules.update(ours)
            importlib.import_module(name)
            ours.update(hide_ourselves())


def hide_ourselves() -> dict[str, ModuleType]:
    """Takes our modules out of sight: a program that imports a module called mpt gets its own."""
    names = [name for name in sys.modules if name == "mpt" or name.startswith("mpt.")]
    return {name: sys.modules.pop(name) for name in names}
