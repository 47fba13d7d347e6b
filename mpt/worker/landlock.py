"""Landlock: a process gives up, for good, every file but those below the folders it names (Linux 5.13 and later)."""

from __future__ import annotations

import os
import stat
import struct
from collections.abc import Iterable

from mpt.worker import kernel

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION = 1
_PATH_BENEATH = 1
_WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 1, 1 << 2, 1 << 3
_FS_RIGHTS = (0, 13, 14, 15, 15, 16)
"""How many rights over files each version of the interface knows, from version 0 (none) to 5 and later."""
_NET = 0b11
"""TCP bind and connect: version 4."""
_SCOPES = 0b11
"""Abstract UNIX sockets and signals: version 6."""


def version() -> int:
    """Version of the interface, 0 where the kernel has none."""
    try:
        return kernel.syscall(_CREATE_RULESET, None, 0, _VERSION)
    except OSError:
        return 0


def ruleset(readable: Iterable[str], devices: Iterable[str]) -> int:
    """A descriptor of the rules: read below `readable`, read and write `devices`, and nothing else. Raises OSError."""
    abi = version()
    handled = (1 << _FS_RIGHTS[min(abi, 5)]) - 1
    attributes = struct.pack("=QQQ", handled, _NET if abi >= 4 else 0, _SCOPES if abi >= 6 else 0)
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8
    rules = kernel.syscall(_CREATE_RULESET, attributes, size, 0)
    for path in readable:
        _allow(rules, path, _READ_FILE | _READ_DIR)
    for path in devices:
        _allow(rules, path, _READ_FILE | _WRITE_FILE)
    return rules


def restrict(rules: int) -> None:
    """From here on this process obeys the rules; `no_new_privileges` must have been said. Raises OSError."""
    kernel.syscall(_RESTRICT_SELF, rules, 0)


def _allow(rules: int, path: str, rights: int) -> None:
    try:
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # what is not there need not be allowed
    try:
        if not stat.S_ISDIR(os.fstat(fd).st_mode):
            rights &= ~_READ_DIR
        kernel.syscall(_ADD_RULE, rules, _PATH_BENEATH, struct.pack("=Qi", rights, fd), 0)
    finally:
        os.close(fd)
