"""Notices that a process is gone: the editor that started us may die without closing our stdin."""

from __future__ import annotations

import asyncio
import os

_LOOK_EVERY_S = 1.0
"""Where the system cannot tell us."""


async def gone(pid: int) -> None:
    """Returns when the process has ended, or was never there."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    except (AttributeError, OSError):
        await _polled(pid)
        return
    try:
        await _readable(descriptor)
    finally:
        os.close(descriptor)


async def _readable(descriptor: int) -> None:
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    loop.add_reader(descriptor, ended.set)
    try:
        await ended.wait()
    finally:
        loop.remove_reader(descriptor)


async def _polled(pid: int) -> None:
    while alive(pid):
        await asyncio.sleep(_LOOK_EVERY_S)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
