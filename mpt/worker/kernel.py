"""The few system calls of Linux that the standard library does not offer, by ctypes."""

from __future__ import annotations

import ctypes
import os
import platform

_PR_SET_PDEATHSIG = 1
_PR_SET_SECCOMP = 22
_PR_SET_NO_NEW_PRIVS = 38
_SECCOMP_MODE_FILTER = 2
_SECCOMP = {"x86_64": 317, "aarch64": 277}
_SET_MODE_FILTER, _NEW_LISTENER, _WAIT_KILLABLE = 1, 1 << 3, 1 << 5
_LIBC = ctypes.CDLL(None, use_errno=True)
_LIBC.syscall.restype = ctypes.c_long


def syscall(number: int, *arguments: int | bytes | None) -> int:
    """Raises OSError."""
    return _checked(_LIBC.syscall(ctypes.c_long(number), *map(_word, arguments)))


def die_with_parent(signum: int) -> None:
    """The kernel sends this process `signum` when the thread that made it ends. Raises OSError."""
    _prctl(_PR_SET_PDEATHSIG, signum)


def unshare(flags: int) -> None:
    """Raises OSError."""
    _checked(_LIBC.unshare(flags))


def no_new_privileges() -> None:
    """No set-user-id program helps from here on; what landlock and seccomp ask for first. Raises OSError."""
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)


def install_filter(instructions: bytes) -> None:
    """A seccomp filter, as packed `sock_filter`s, on this thread and all it starts. Raises OSError."""
    program = _Program(len(instructions) // 8, instructions)
    _checked(_LIBC.prctl(_PR_SET_SECCOMP, ctypes.c_ulong(_SECCOMP_MODE_FILTER), ctypes.byref(program), 0, 0))


def install_asking_filter(instructions: bytes) -> int:
    """The same, for a filter that asks: the descriptor on which it does. Raises OSError where no filter can."""
    program = _Program(len(instructions) // 8, instructions)
    try:
        return _with_listener(program, _NEW_LISTENER | _WAIT_KILLABLE)
    except OSError:  # before Linux 5.19, a signal may interrupt whoever asks
        return _with_listener(program, _NEW_LISTENER)


def _with_listener(program: _Program, flags: int) -> int:
    number = ctypes.c_long(_SECCOMP[platform.machine()])
    mode, word = ctypes.c_ulong(_SET_MODE_FILTER), ctypes.c_ulong(flags)
    return _checked(_LIBC.syscall(number, mode, word, ctypes.byref(program)))


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def _prctl(option: int, value: int) -> None:
    zero = ctypes.c_ulong(0)
    _checked(_LIBC.prctl(option, ctypes.c_ulong(value), zero, zero, zero))


def _word(argument: int | bytes | None) -> object:
    return ctypes.c_long(argument) if isinstance(argument, int) else ctypes.c_char_p(argument)


def _checked(answer: int) -> int:
    if answer < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return answer
