"""Bytes from behind the wall → values. Total: any bytes give a value or `Forged`, and nothing else."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, get_args

from mpt.values import Arguments, Opaque, Outcome, Raised, Returned, StopCause, Stopped, Value
from mpt.worker import codec

LENGTH = struct.Struct(">I")
_TEXT = 300
_CAUSES = frozenset(get_args(StopCause))


class Forged(Exception):
    """Not what our worker sends: a program wrote on its own channel."""


class Frame(NamedTuple):
    """done: nothing more comes. cpu_s: what the child has used. item: what was sent. texts: what came along, unread."""

    done: bool
    cpu_s: float
    item: Any
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Loaded:
    """The program's module is made; calls begin."""


@dataclass(frozen=True, slots=True)
class Unloadable:
    """The program's module could not be made."""

    outcome: Stopped


@dataclass(frozen=True, slots=True)
class Called:
    """What the call number `index` did."""

    index: int
    outcome: Outcome


Reading = Loaded | Unloadable | Called


def frames(buffer: bytearray, nonce: str, limit: int) -> Iterator[Frame]:
    """Takes whole frames off the front of `buffer`. Raises Forged."""
    while len(buffer) >= LENGTH.size:
        (length,) = LENGTH.unpack_from(buffer)
        if length > limit:
            raise Forged(f"a frame of {length} bytes")
        end = LENGTH.size + length
        if len(buffer) < end:
            return
        payload = bytes(buffer[LENGTH.size : end])
        del buffer[:end]
        yield frame(payload, nonce)


def frame(payload: bytes, nonce: str) -> Frame:
    """One frame's payload. Raises Forged."""
    try:
        head, *texts = payload.decode("ascii").split("\n")
        sent = json.loads(head)
    except (ValueError, RecursionError):
        raise Forged("not a frame") from None
    match sent:
        case [str(mark), float(cpu_s), (0 | 1) as kind, item] if mark == nonce:
            return Frame(kind == 0, cpu_s, item, tuple(texts))
    raise Forged("not our frame")


def reading(frame: Frame, arguments: Arguments) -> Reading:
    """What the runner says; `arguments` of the call it may be about. Raises Forged."""
    match frame.item:
        case ["loaded"]:
            return Loaded()
        case ["unloadable", str(detail)]:
            return Unloadable(Stopped("load", detail[:_TEXT]))
        case [int(index), "returned"]:
            return Called(index, _returned(frame.texts, arguments))
        case [int(index), "raised", str(name), str(message)]:
            return Called(index, Raised(name[:_TEXT], message[:_TEXT]))
        case [int(index), "stopped", str(cause), str(detail)] if cause in _CAUSES:
            return Called(index, Stopped(cause, detail[:_TEXT]))  # type: ignore[arg-type]
    raise Forged("not a reading")


def _returned(texts: tuple[str, ...], arguments: Arguments) -> Outcome:
    before = [*arguments.positional, *(value for _, value in arguments.keyword)]
    if len(texts) != 1 + len(before):
        raise Forged("not as many arguments as were given")
    tree = _parse(texts[0])
    if isinstance(tree, dict) and isinstance(tree.get("opaque"), str):
        return Opaque(tree["opaque"][:_TEXT])
    after = tuple(_value(text) if text else was for text, was in zip(texts[1:], before, strict=True))
    return Returned(Value(texts[0]), after)


def _value(text: str) -> Value:
    _parse(text)
    return Value(text)


def _parse(text: str) -> Any:
    try:
        return codec.parse(text)
    except codec.CodecError as error:
        raise Forged(str(error)) from None
