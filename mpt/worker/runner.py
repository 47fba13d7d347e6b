"""Runs one program on many inputs and sends what it did, one frame an input.

The request: source, entry_point, inputs (pairs of positional and keyword argument trees), first (index of the first),
seed (of `random`, before every call).
The answers: `["loaded"]`, then for each input, in order, its index, what happened:

    [i, "returned"], the value's text, a text for each argument after the call, empty where it is unchanged
    [i, "raised", type name, message]
    [i, "stopped", cause, detail]

or `["unloadable", detail]` alone.
"""

from __future__ import annotations

import builtins
import errno
import random
import sys
import types
from collections.abc import Callable
from typing import Any, Optional

from mpt.worker import codec

MODULE = "program"
FILE = "<program>"
_MESSAGE = 200
_REFUSALS = (errno.EPERM, errno.EACCES)
_LINKS = 10
_ERRNO: Any = OSError.__dict__["errno"]
_CONTEXT: Any = BaseException.__dict__["__context__"]
"""Read through these, an exception cannot lie about its own."""
_ATOMS = (type(None), bool, int, float, str, bytes, complex)


def run(request: dict[str, Any], emit: Callable[..., None]) -> None:
    try:
        function = load(request["source"], request["entry_point"])
    except BaseException as error:
        emit(["unloadable", describe(error)])
        return
    emit(["loaded"])
    first, seed = request.get("first", 0), request.get("seed", 0)
    for index, (positional, keyword) in enumerate(request["inputs"][first:], first):
        random.seed(seed)
        _one(index, function, positional, keyword, emit)


def load(source: str, entry_point: str) -> Callable[..., Any]:
    """The function `entry_point` of a fresh module made of `source`. Raises whatever the source raises."""
    code = compile(source, FILE, "exec", dont_inherit=True)
    module = types.ModuleType(MODULE)
    module.__dict__["__builtins__"] = _own_builtins()
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


def _own_builtins() -> types.ModuleType:
    """The program's own copy: what it puts in place of `len` reaches itself alone, not the worker's code."""
    own = types.ModuleType("builtins")
    own.__dict__.update(builtins.__dict__)
    sys.modules["builtins"] = own
    return own


def _one(index: int, function: Callable[..., Any], positional: list[Any], keyword: dict[str, Any], emit: Any) -> None:
    try:
        arguments = [codec.build(tree) for tree in positional]
        named = {name: codec.build(tree) for name, tree in keyword.items()}
    except codec.CodecError as error:
        emit([index, "stopped", "load", "an input cannot be rebuilt: " + str(error)])
        return
    try:
        value = function(*arguments, **named)
        sys.settrace(None)
        sys.setprofile(None)
        text = codec.encode(value)
        after = _after(arguments, positional) + _after(list(named.values()), list(keyword.values()))
    except BaseException as error:
        emit([index, *_ended_by(error)])
        return
    try:
        emit([index, "returned"], text, *after)
    except OverflowError as error:
        emit([index, "stopped", "output", str(error)])


def _after(arguments: list[Any], trees: list[Any]) -> list[str]:
    """The texts of the arguments as they are now; "" for those that are as they were."""
    return ["" if type(now) in _ATOMS else _changed(codec.encode(now), tree) for now, tree in zip(arguments, trees)]


def _changed(text: str, tree: Any) -> str:
    return "" if text == codec.dumps(tree) else text


def _ended_by(error: BaseException) -> list[Any]:
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
