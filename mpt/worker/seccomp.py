"""A seccomp filter: the system calls a program may make; every other one answers "operation not permitted".

A list of what is allowed, not of what is not: a call that a later kernel brings is refused. No call that makes a
process, a socket to anywhere, a file, a mount or a name space is on it, nor one that reaches into another process.
Threads are allowed (they end with the process). A few calls are allowed with some arguments alone.

A zygote that imports a module nobody has read gets a filter of its own: that list, what its children need before they
take theirs, and a plain fork where the warden says yes. Its children's filter comes on top: the stricter word counts.
"""

from __future__ import annotations

import errno
import platform
import socket
import struct
from collections.abc import Sequence
from typing import Optional

from mpt.worker.syscalls import CALLS, FOR_CHILDREN

_ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""Machine → column of the table, AUDIT_ARCH number."""

# Classic BPF, as linux/filter.h and linux/seccomp.h spell it.
_LOAD, _JUMP, _EQUAL, _AT_LEAST, _ANY_BIT, _AND, _RETURN = 0x20, 0x05, 0x15, 0x35, 0x45, 0x54, 0x06
_ALLOW, _KILL, _ERRNO, _ASK = 0x7FFF0000, 0x80000000, 0x00050000, 0x7FC00000
_REFUSE, _UNKNOWN = _ERRNO | errno.EPERM, _ERRNO | errno.ENOSYS
_X32 = 0x40000000
_CLONE_THREAD = 0x10000
_CLONE_MORE = 0x7E02_D100
"""Clones that are no plain fork: new name spaces, another parent, shared memory, a descriptor of the process."""
_FCNTL = (0, 1, 2, 3, 4, 5, 6, 7, 1030, 1032)  # not F_SETOWN: it signals others
_IOCTL = (0x5421, 0x5450, 0x5451, 0x541B, 0x5401, 0x5413)  # FIONBIO, FIONCLEX, FIOCLEX, FIONREAD, TCGETS, TIOCGWINSZ
_PRCTL = (15, 16)  # PR_SET_NAME, PR_GET_NAME
_PRCTL_ZYGOTE = (*_PRCTL, 22, 38)  # PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS

_SOME_PID = 0x7ABCDEF1  # beyond every real one, and no other constant of the filter

Calls = dict[str, tuple[Optional[int], Optional[int]]]
Instruction = tuple[int, int, int, int]
"""Code, how far to jump when true, when false, constant."""


def supported() -> bool:
    """Is there a table for this machine?"""
    return platform.machine() in _ARCHITECTURES


class Filter:
    """The packed filter of one process after another: made once, since making it costs more than a small program."""

    def __init__(self) -> None:
        self._code = bytearray().join(map(_pack, _instructions(_SOME_PID)))
        self._places = [i for i in range(0, len(self._code), 8) if self._code[i + 4 : i + 8] == _pid(_SOME_PID)]

    def of(self, pid: int) -> bytes:
        """The filter of process `pid`, which may signal itself and no other."""
        code = bytearray(self._code)
        for place in self._places:
            code[place + 4 : place + 8] = _pid(pid)
        return bytes(code)


def of_zygote(asks: bool) -> bytes:
    """The packed filter of a process that imports, and forks children afterwards. asks: whether it may, each time."""
    return bytes().join(map(_pack, _listed({**CALLS, **FOR_CHILDREN}, _scrutiny_of_zygote(_ASK if asks else _ALLOW))))


def _instructions(pid: int) -> list[Instruction]:
    return _listed(CALLS, _scrutiny(pid))


def _listed(calls: Calls, scrutiny: dict[str, list[Instruction]]) -> list[Instruction]:
    """The filter that allows `calls`, those of `scrutiny` as it says."""
    column, architecture = _ARCHITECTURES[platform.machine()]
    numbers = {name: numbers[column] for name, numbers in calls.items()}
    code: list[Instruction] = [(_LOAD, 0, 0, 4), (_EQUAL, 1, 0, architecture), _end(_KILL), (_LOAD, 0, 0, 0)]
    code += [(_AT_LEAST, 0, 1, _X32), _end(_REFUSE)]
    for name, block in scrutiny.items():
        number = numbers[name]
        if number is not None:
            code += [(_EQUAL, 0, len(block), number), *block]
    plain = sorted(number for name, number in numbers.items() if number is not None and name not in scrutiny)
    return code + _search(_ranges(plain))


def _ranges(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """First and last of each run of consecutive numbers."""
    ranges: list[tuple[int, int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1] = (ranges[-1][0], number)
        else:
            ranges.append((number, number))
    return ranges


def _search(ranges: Sequence[tuple[int, int]]) -> list[Instruction]:
    """A binary search: the kernel goes through a new filter for every call there is, and a chain takes it long."""
    if len(ranges) == 1:
        ((first, last),) = ranges
        return [(_AT_LEAST, 0, 2, first), (_AT_LEAST, 1, 0, last + 1), _end(_ALLOW), _end(_REFUSE)]
    middle = len(ranges) // 2
    lower, upper = _search(ranges[:middle]), _search(ranges[middle:])
    return [(_AT_LEAST, 0, 1, ranges[middle][0]), (_JUMP, 0, 0, len(lower)), *lower, *upper]


def _pack(instruction: Instruction) -> bytes:
    return struct.pack("=HBBI", *instruction)


def _pid(pid: int) -> bytes:
    return struct.pack("=I", pid)


def _scrutiny(pid: int) -> dict[str, list[Instruction]]:
    return {
        "clone": [_argument(0), (_ANY_BIT, 0, 1, _CLONE_THREAD), _end(_ALLOW), _end(_REFUSE)],
        "clone3": [_end(_UNKNOWN)],  # its flags are out of a filter's sight; glibc goes on with clone
        "kill": _one_of(0, (pid,)),
        "tgkill": _one_of(0, (pid,)),
        "rt_sigqueueinfo": _one_of(0, (pid,)),
        "rt_tgsigqueueinfo": _one_of(0, (pid,)),
        "fcntl": _one_of(1, _FCNTL),
        "ioctl": _one_of(1, _IOCTL),
        "prctl": _one_of(0, _PRCTL),
        "prlimit64": _READS_A_LIMIT,
        "socketpair": _STREAM_PAIR,
    }


def _scrutiny_of_zygote(fork: int) -> dict[str, list[Instruction]]:
    """fork: what a plain one meets. Signals it may send to all in its name space of processes, which are its own."""
    thread = [_argument(0), (_ANY_BIT, 0, 1, _CLONE_THREAD), _end(_ALLOW)]
    return {
        "clone": [*thread, (_ANY_BIT, 0, 1, _CLONE_MORE), _end(_REFUSE), _end(fork)],
        "clone3": [_end(_UNKNOWN)],
        "fcntl": _one_of(1, _FCNTL),
        "ioctl": _one_of(1, _IOCTL),
        "prctl": _one_of(0, _PRCTL_ZYGOTE),
        "socketpair": _STREAM_PAIR,
    }


def _one_of(argument: int, values: Sequence[int]) -> list[Instruction]:
    tests: list[Instruction] = []
    for value in values:
        tests += [(_EQUAL, 0, 1, value), _end(_ALLOW)]
    return [_argument(argument), *tests, _end(_REFUSE)]


def _argument(index: int, high: bool = False) -> Instruction:
    return (_LOAD, 0, 0, 16 + 8 * index + (4 if high else 0))


def _end(verdict: int) -> Instruction:
    return (_RETURN, 0, 0, verdict)


_READS_A_LIMIT = [
    *(_argument(2), (_EQUAL, 0, 3, 0), _argument(2, high=True), (_EQUAL, 0, 1, 0)),  # no new limit
    *(_end(_ALLOW), _end(_REFUSE)),
]
_STREAM_PAIR = [
    *(_argument(0), (_EQUAL, 0, 4, socket.AF_UNIX)),
    *(_argument(1), (_AND, 0, 0, 0xF), (_EQUAL, 0, 1, socket.SOCK_STREAM)),  # a datagram socket can send to any address
    *(_end(_ALLOW), _end(_REFUSE)),
]
