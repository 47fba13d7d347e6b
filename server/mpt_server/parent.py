"""Notices that a process is gone: the editor that started us may die without closing our stdin."""

from __future__ import annotations

import asyncio
import os
import sys

if sys.platform == "win32":
    import pywintypes
    import win32api
    import win32con
    import win32event
    import winerror

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
    if sys.platform == "win32":
        return _alive_on_windows(pid)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


if sys.platform == "win32":

    def _alive_on_windows(pid: int) -> bool:
        """There `os.kill` with 0 would send Ctrl-C."""
        try:
            process = win32api.OpenProcess(win32con.SYNCHRONIZE, False, pid)
        except pywintypes.error as error:
            return bool(error.winerror == winerror.ERROR_ACCESS_DENIED)
        return bool(win32event.WaitForSingleObject(process, 0) == win32event.WAIT_TIMEOUT)
