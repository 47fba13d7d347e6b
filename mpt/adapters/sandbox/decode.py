"""Bytes from behind the wall → values. Total: any bytes give a value or `Forged`, and nothing else."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from typing import Any, get_args

from mpt.values import Arguments, Opaque, Outcome, Raised, Returned, StopCause, Stopped, Value
from mpt.worker import codec

LENGTH = struct.Struct(">I")
_TEXT = 300
_DIGITS = 15
_CAUSES = frozenset(get_args(StopCause))


class Forged(Exception):
    """Not what our worker sends: a program wrote on its own channel."""


DONE = b"done"
"""The frame that says that nothing more comes."""


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


def frames(buffer: bytearray, nonce: bytes, limit: int) -> tuple[list[bytes], float]:
    """Takes whole frames off the front of `buffer`: their items with texts, and the CPU seconds that the last tells.

    Raises Forged.
    """
    taken: list[bytes] = []
    cpu_us = b"0"
    data = bytes(buffer)
    start, size = 0, len(data)
    while start + LENGTH.size <= size:
        (length,) = LENGTH.unpack_from(data, start)
        if length > limit:
            raise Forged(f"a frame of {length} bytes")
        begin = start + LENGTH.size
        if size < begin + length:
            break
        start = begin + length
        parts = data[begin:start].split(b" ", 2)
        if len(parts) < 3 or parts[0] != nonce:
            raise Forged("not our frame")
        cpu_us = parts[1]
        taken.append(parts[2])
    if not cpu_us.isdigit() or len(cpu_us) > _DIGITS:
        raise Forged("not our frame")
    del buffer[:start]
    return taken, int(cpu_us) / 1e6


def item(frame: bytes) -> Any:
    """The item of a frame, without its texts. Raises Forged."""
    try:
        return json.loads(frame.partition(b"\n")[0])
    except (ValueError, RecursionError):
        raise Forged("not a frame") from None


def reading(frame: bytes, arguments: Arguments) -> Reading:
    """What the runner says in a frame; `arguments` of the call it may be about. Raises Forged."""
    head, *texts = frame.split(b"\n")
    match item(head):
        case ["loaded"]:
            return Loaded()
        case ["unloadable", str(detail)]:
            return Unloadable(Stopped("load", detail[:_TEXT]))
        case [int(index), "returned"]:
            return Called(index, _returned(texts, [], arguments))
        case [int(index), "returned", [*changed]] if len(changed) < len(texts) and _are_names(changed):
            split = len(texts) - len(changed)
            state = [(name, _value(text)[1]) for name, text in zip(changed, texts[split:], strict=True)]
            return Called(index, _returned(texts[:split], state, arguments))
        case [int(index), "raised", str(name), str(message)]:
            return Called(index, Raised(name[:_TEXT], message[:_TEXT]))
        case [int(index), "stopped", str(cause), str(detail)] if cause in _CAUSES:
            return Called(index, Stopped(cause, detail[:_TEXT]))  # type: ignore[arg-type]
    raise Forged("not a reading")


def _are_names(changed: list[Any]) -> bool:
    return all(isinstance(name, str) and len(name) <= _TEXT for name in changed)


def _returned(texts: list[bytes], state: list[tuple[str, Value]], arguments: Arguments) -> Outcome:
    before = [*arguments.positional, *(value for _, value in arguments.keyword)]
    if len(texts) not in (1, 1 + len(before)):
        raise Forged("not as many arguments as were given")
    tree, value = _value(texts[0])
    if isinstance(tree, dict) and isinstance(tree.get("opaque"), str):
        return Opaque(tree["opaque"][:_TEXT])
    after = [_value(text)[1] for text in texts[1:]] if texts[1:] else before
    return Returned(value, tuple(after), tuple(state))


def _value(data: bytes) -> tuple[Any, Value]:
    try:
        text = data.decode("ascii")
        return codec.parse(text), Value(text)
    except (codec.CodecError, UnicodeDecodeError) as error:
        raise Forged(str(error)) from None
