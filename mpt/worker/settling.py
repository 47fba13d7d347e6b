"""What a call gives that is not an answer yet: coroutines are awaited, generators drained, contexts entered and left,
functions that it made called.

So that what happens inside is part of the call: under its clock, in its coverage, before its arguments are looked at.
"""

from __future__ import annotations

import contextlib
import functools
import types
from collections.abc import Coroutine, Iterator
from typing import Any

from mpt.worker import codec, objects

_PROBES: tuple[tuple[Any, ...], ...] = ((), (1,), (-2.5, 3), ("ab",), ([3, 1, 2],), (abs,))
"""What a function that a call made is called with: it is known by its answers alone."""
_SETTLED = frozenset((type(None), bool, int, float, str, bytes, list, tuple, dict, set))
"""What most calls give, and what is an answer as it is."""
_DEPTH = 3
"""A function may make one that makes one."""


def settled(value: Any, depth: int = 0) -> Any:
    """What the value comes to. Raises what a coroutine or a context raises; a generator's exception ends its items."""
    kind = type(value)
    if kind in _SETTLED:
        return value
    if kind in (types.FunctionType, functools.partial) and not objects.name_of(value) and depth < _DEPTH:
        return codec.Drained("function", [_probed(value, probe, depth) for probe in _PROBES], True)
    if kind is types.CoroutineType:
        return settled(_in_loop(value))
    if kind is types.GeneratorType:
        return _drained("generator", value)
    if kind is types.AsyncGeneratorType:
        return _in_loop(_drained_slowly(value))
    if isinstance(value, contextlib._GeneratorContextManager):
        with value as inside:
            return settled(inside)
    if isinstance(value, contextlib._AsyncGeneratorContextManager):
        return _in_loop(_within(value))
    return value


def _probed(function: Any, probe: tuple[Any, ...], depth: int) -> Any:
    try:
        return settled(function(*probe), depth + 1)
    except Exception as error:
        return "raises " + codec.type_name(type(error))


def _drained(kind: str, items: Iterator[Any]) -> codec.Drained:
    taken: list[Any] = []
    try:
        for item in items:
            taken.append(item)
            if len(taken) == codec.MAX_ITEMS:
                return codec.Drained(kind, taken, False)
    except Exception as error:
        return codec.Drained(kind, taken, codec.type_name(type(error)))
    return codec.Drained(kind, taken, True)


async def _drained_slowly(items: Any) -> codec.Drained:
    taken: list[Any] = []
    try:
        async for item in items:
            taken.append(item)
            if len(taken) == codec.MAX_ITEMS:
                return codec.Drained("async generator", taken, False)
    except Exception as error:
        return codec.Drained("async generator", taken, codec.type_name(type(error)))
    return codec.Drained("async generator", taken, True)


async def _within(context: Any) -> Any:
    async with context as inside:
        return inside


def _in_loop(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Runs it in an event loop of its own."""
    import asyncio  # takes long, and few programs need it

    loop = asyncio.new_event_loop()
    try:
        asyncio.set_event_loop(loop)
        return loop.run_until_complete(coroutine)
    finally:
        asyncio.set_event_loop(None)
        loop.close()
