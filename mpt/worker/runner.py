"""Runs one program on many inputs and sends what it did, one frame an input.

The request: source, entry_point, first (index of the first call), seed (of `random`), and a line a call: `P` and a JSON
array of arguments where JSON is all there is to them, else `T` and a pair of the codec's trees, positional and keyword.
The answers: `["loaded"]`, then for each call, in order, its index and what happened:

    [i,"returned"], the value's text, and where the call has changed its arguments, a text for each of them
    [i,"raised",type name,message]
    [i,"stopped",cause,detail]

or `["unloadable",detail]` alone.
"""

from __future__ import annotations

import builtins
import errno
import json
import marshal
import random
import sys
import types
from collections.abc import Callable
from typing import Any, Optional, Protocol

from mpt.worker import codec

MODULE = "program"
FILE = "<program>"
_MESSAGE = 200
_REFUSALS = (errno.EPERM, errno.EACCES, errno.EROFS)
_LINKS = 10
_ERRNO: Any = OSError.__dict__["errno"]
_CONTEXT: Any = BaseException.__dict__["__context__"]
"""Read through these, an exception cannot lie about its own."""
_OURS = 2
"""Modules that loading adds: the program, and its builtins in place of the real ones."""
_decode, _marshal = (
    json.JSONDecoder().raw_decode,
    marshal.dumps,
)  # bound early: a program may replace what the modules hold


def _own_builtins() -> types.ModuleType:
    """The program's own copy: what it puts in place of `len` reaches itself alone, not the worker's code."""
    own = types.ModuleType("builtins")
    own.__dict__.update(builtins.__dict__)
    return own


_BUILTINS = _own_builtins()
"""Copied before the fork, since a copy touches every type there is."""


class Emit(Protocol):
    """See mpt.worker.channel.Channel."""

    def __call__(self, item: object) -> None: ...

    def send(self, item: str, *texts: str) -> None: ...


def run(request: dict[str, Any], emit: Emit) -> None:
    try:
        modules = len(sys.modules)
        function = load(request["source"], request["entry_point"])
    except BaseException as error:
        emit(["unloadable", describe(error)])
        return
    emit(["loaded"])
    chancy = "random" in request["source"] or len(sys.modules) > modules + _OURS
    seed, lines = request["seed"], request["lines"]
    random.seed(seed)
    for index in range(request["first"], len(lines)):
        if chancy:
            random.seed(seed)
        ended = _call(function, lines[index])
        try:
            emit.send("[" + str(index) + "," + ended[0], *ended[1:])
        except OverflowError as error:
            emit([index, "stopped", "output", str(error)])


def load(source: str, entry_point: str) -> Callable[..., Any]:
    """The function `entry_point` of a fresh module made of `source`. Raises whatever the source raises."""
    code = compile(source, FILE, "exec", dont_inherit=True)
    module = types.ModuleType(MODULE)
    module.__dict__["__builtins__"] = sys.modules["builtins"] = _BUILTINS
    sys.modules[MODULE] = module
    exec(code, module.__dict__)
    function = module.__dict__.get(entry_point)
    if not callable(function):
        raise NameError("it defines no function " + entry_point)
    return function  # type: ignore[no-any-return]


def describe(error: BaseException) -> str:
    """ "TypeError: message", bounded, whatever the exception's methods do."""
    message = _message(error)
    return codec.type_name(type(error)) + (": " + message if message else "")


def _call(function: Callable[..., Any], line: str) -> list[str]:
    """Makes one call: the rest of the item, then the texts."""
    try:
        positional, keyword = _arguments(line)
    except codec.CodecError as error:
        return _item("stopped", "load", "an input cannot be rebuilt: " + str(error))
    before = _mark(positional, keyword)
    try:
        value = function(*positional, **keyword)
        sys.settrace(None)
        sys.setprofile(None)
        text = codec.encode(value)
        if before is not None and _mark(positional, keyword) == before:
            return ['"returned"]', text]
        return ['"returned"]', text, *map(codec.encode, (*positional, *keyword.values()))]
    except BaseException as error:
        return _item(*_ended_by(error))


def _arguments(line: str) -> tuple[list[Any], dict[str, Any]]:
    """Made anew for every call: it may change them."""
    trees, _ = _decode(line, 1)
    if line[0] == "P":
        return trees, {}
    return codec.build(trees[0]), {name: codec.build(tree) for name, tree in trees[1].items()}


def _mark(positional: list[Any], keyword: dict[str, Any]) -> Optional[bytes]:
    """Equal marks, equal arguments; None where there is none. marshal is exact, and refuses all but builtin types."""
    try:
        return _marshal((positional, keyword), 2)
    except ValueError:
        return None


def _item(*fields: str) -> list[str]:
    return [codec.dumps(fields)[1:]]


def _ended_by(error: BaseException) -> list[str]:
    kind = type(error)  # not isinstance: that asks the exception, which may lie
    if issubclass(kind, SystemExit):
        return ["stopped", "exit", describe(error)]
    if issubclass(kind, MemoryError):
        return ["stopped", "memory", ""]
    if issubclass(kind, RecursionError):
        return ["stopped", "recursion", ""]
    if _refused(error):
        return ["stopped", "blocked", describe(error)]
    return ["raised", codec.type_name(kind), _message(error)]


def _refused(error: BaseException) -> bool:
    """Does this, or what it was raised from, come from the wall: an operation not permitted, a name not looked up?"""
    link: Optional[BaseException] = error
    for _ in range(_LINKS):
        if link is None:
            return False
        if issubclass(type(link), OSError):
            number = _ERRNO.__get__(link)
            if number in _REFUSALS or (isinstance(number, int) and number < 0):
                return True
        link = _CONTEXT.__get__(link)
    return False


def _message(error: BaseException) -> str:
    try:
        text = str(error)
        return str.__str__(text)[:_MESSAGE] if isinstance(text, str) else ""
    except BaseException:
        return ""
