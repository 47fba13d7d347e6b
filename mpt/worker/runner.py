"""Runs one program on many inputs and sends what it did, one frame an input.

The request: source, entry_point, place (see `mpt.worker.context.placed`, where there is a context), first (index of
the first call), seed (of `random`), and a line a call: `P` and a JSON array of arguments where JSON is all there is to
them, else `T` and a pair of the codec's trees, positional and keyword.
The answers: `["loaded"]`, then for each call, in order, its index and what happened:

    [i,"returned"], the value's text, and where the call has changed its arguments, a text for each of them
    [i,"returned",names], the same and then a text for each name of its module that the call has changed
    [i,"raised",type name,message]
    [i,"stopped",cause,detail]

or `["unloadable",detail]` alone.
"""

from __future__ import annotations

import errno
import json
import marshal
import random
import sys
import types
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Optional, Protocol

from mpt.worker import codec
from mpt.worker.arguments import UNMAKEABLE, Maker, Unmakeable
from mpt.worker.context import FILE, Context, own_builtins, placed
from mpt.worker.settling import settled
from mpt.worker.state import State
from mpt.worker.told import Told

MODULE = "program"
_MESSAGE = 200
_REFUSALS = (errno.EPERM, errno.EACCES, errno.EROFS)
_LINKS = 10
_ERRNO: Any = OSError.__dict__["errno"]
_CONTEXT: Any = BaseException.__dict__["__context__"]
"""Read through these, an exception cannot lie about its own."""
_OURS = 2
"""Modules that loading adds: the program, and its builtins in place of the real ones."""
_decode, _marshal = json.JSONDecoder().raw_decode, marshal.dumps
_settrace, _setprofile = sys.settrace, sys.setprofile
"""Bound early: a program may replace what the modules hold."""


_BUILTINS = own_builtins()
"""Copied before the fork, since a copy touches every type there is."""


class Emit(Protocol):
    """See mpt.worker.channel.Channel."""

    def __call__(self, item: object) -> None: ...

    def send(self, item: str, *texts: str) -> None: ...


class Loaded(NamedTuple):
    """A program that can be called, and what makes arguments for it that are more than data."""

    function: Callable[..., Any]
    maker: Maker
    state: Optional[State] = None
    """Where there is a module whose names it may change."""
    told: Sequence[Told] = ()
    """Types that plugins tell of."""

    def changed(self) -> list[tuple[str, str]]:
        """See mpt.worker.state.State."""
        return self.state.changed() if self.state else []


def run(request: dict[str, Any], emit: Emit, context: Optional[Context] = None) -> None:
    try:
        modules = len(sys.modules)
        loaded = load(request["source"], request["entry_point"], context, request.get("place"))
    except BaseException as error:
        emit(["unloadable", describe(error)])
        return
    emit(["loaded"])
    chancy = context is not None or "random" in request["source"] or len(sys.modules) > modules + _OURS
    seed, lines = request["seed"], request["lines"]
    random.seed(seed)
    for index in range(request["first"], len(lines)):
        if chancy:
            reseed(seed)
        ended = _call(loaded, lines[index])
        try:
            emit.send("[" + str(index) + "," + ended[0], *ended[1:])
        except OverflowError as error:
            emit([index, "stopped", "output", str(error)])


def load(source: str, entry_point: str, context: Optional[Context] = None, place: Any = None) -> Loaded:
    """The function `entry_point` that the source defines: in its place in a module, else in a fresh one of its own.

    place: its qualified name and its kind (`mpt.values.Place`). Raises whatever the source raises.
    """
    if context is not None:
        return _in_context(context, source, entry_point, place)
    code = compile(source, FILE, "exec", dont_inherit=True)
    module = types.ModuleType(MODULE)
    module.__dict__["__builtins__"] = sys.modules["builtins"] = _BUILTINS
    sys.modules[MODULE] = module
    exec(code, module.__dict__)
    function = module.__dict__.get(entry_point)
    if not callable(function):
        raise NameError("it defines no function " + entry_point)
    state = State(MODULE, module.__dict__, source, frozenset()) if "global " in source else None
    return Loaded(function, Maker(module.__dict__), state)


def _in_context(context: Context, source: str, entry_point: str, place: Any) -> Loaded:
    function = placed(context, source, entry_point, *place)
    holder, _, own = place[0].rpartition(".")
    state = State(context.module.__name__, context.names, source, context.known, holder)
    modules = [one.name.rpartition(".")[0] for one in context.told]
    return Loaded(function, Maker(context.names, own, modules, function.back), state, context.told)


def reseed(seed: int) -> None:
    """Every call finds the same random numbers, numpy's too."""
    random.seed(seed)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(seed)


def describe(error: BaseException) -> str:
    """ "TypeError: message", bounded, whatever the exception's methods do."""
    message = _message(error)
    return codec.type_name(type(error)) + (": " + message if message else "")


def _call(loaded: Loaded, line: str) -> list[str]:
    """Makes one call: the rest of the item, then the texts."""
    try:
        positional, keyword = _arguments(line, loaded.maker)
    except (codec.CodecError, Unmakeable) as error:
        return _item("stopped", "load", UNMAKEABLE + str(error))
    before = _mark(positional, keyword)
    try:
        value = settled(loaded.function(*positional, **keyword))
        _settrace(None)
        _setprofile(None)
        texts = [codec.encode(value, loaded.told)]
        if before is None or _mark(positional, keyword) != before:
            texts += [codec.encode(argument, loaded.told) for argument in (*positional, *keyword.values())]
        changed = loaded.changed()
    except BaseException as error:
        loaded.changed()
        return _item(*_ended_by(error))
    if not changed:
        return ['"returned"]', *texts]
    return ['"returned",' + codec.dumps([name for name, _ in changed]) + "]", *texts, *(text for _, text in changed)]


def _arguments(line: str, maker: Maker) -> tuple[list[Any], dict[str, Any]]:
    """Made anew for every call: it may change them. Raises CodecError, Unmakeable."""
    trees, _ = _decode(line, 1)
    if line[0] == "P":
        return trees, {}
    positional, keyword = codec.build(trees[0]), {name: codec.build(tree) for name, tree in trees[1].items()}
    if '{"source":' in line or '{"call":' in line:
        return maker.all(positional), {name: maker.made(value) for name, value in keyword.items()}
    return positional, keyword


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
