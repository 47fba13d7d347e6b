"""A process that Windows holds in a job object, and pipes that can be looked into: from its documentation, untried."""

from __future__ import annotations

import sys

assert sys.platform == "win32"

import msvcrt
import os
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import pywintypes
import win32api
import win32con
import win32job
import win32pipe
import win32process

from mpt.adapters.sandbox.process import Setup, command, environment

_ACCESS = win32con.PROCESS_SET_QUOTA | win32con.PROCESS_TERMINATE | win32con.PROCESS_QUERY_INFORMATION
_LIMITS = (
    win32job.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
    | win32job.JOB_OBJECT_LIMIT_ACTIVE_PROCESS
    | win32job.JOB_OBJECT_LIMIT_PROCESS_MEMORY
)
_TICKS_PER_S = 10_000_000


class Job:
    """Starts on construction; gets `request` once the job holds it: no process of its own, `memory_bytes` of memory,
    and it ends when we do. Raises OSError."""

    def __init__(self, setup: Setup, request: bytes, memory_bytes: int, pipes: Sequence[int]) -> None:
        frames, out, err = pipes
        self._request = request
        handle = msvcrt.get_osfhandle(frames)
        os.set_handle_inheritable(handle, True)
        self._process = subprocess.Popen(
            command(setup, {"frames": handle}),
            env=environment(setup),
            cwd=setup.interpreter.executable.anchor,
            stdin=subprocess.PIPE,
            stdout=out,
            stderr=err,
            startupinfo=subprocess.STARTUPINFO(lpAttributeList={"handle_list": [handle]}),
            creationflags=subprocess.DETACHED_PROCESS | (subprocess.BELOW_NORMAL_PRIORITY_CLASS if setup.nice else 0),
        )
        try:
            self._handle = win32api.OpenProcess(_ACCESS, False, self._process.pid)
            self._job = _job(memory_bytes)
            win32job.AssignProcessToJobObject(self._job, self._handle)
        except pywintypes.error as error:
            self._process.kill()
            raise OSError(f"Windows would not limit it: {error}") from None

    def wait(self) -> tuple[int, float]:
        """Waits for its end: its exit code, and the CPU seconds it has used."""
        self._process.communicate(self._request)
        return self._process.returncode, self.cpu_s()

    def cpu_s(self) -> float:
        """So far."""
        times = win32process.GetProcessTimes(self._handle)
        return float(times["KernelTime"] + times["UserTime"]) / _TICKS_PER_S

    def end(self) -> None:
        """Kills it; from any thread."""
        with suppress(pywintypes.error):
            win32job.TerminateJobObject(self._job, 1)


def pipe(size: int) -> tuple[int, int]:
    """The reading and the writing end of a pipe that takes `size` bytes before a writer waits."""
    ours, theirs = win32pipe.CreatePipe(None, size)
    return msvcrt.open_osfhandle(ours.Detach(), os.O_RDONLY), msvcrt.open_osfhandle(theirs.Detach(), os.O_WRONLY)


def read(fd: int, size: int) -> bytes | None:
    """What lies in a pipe, `size` bytes at most; nothing at its end, None where that may still come."""
    try:
        _, there, _ = win32pipe.PeekNamedPipe(msvcrt.get_osfhandle(fd), 0)
    except pywintypes.error:
        return b""
    return os.read(fd, min(there, size)) if there else None


def _job(memory_bytes: int) -> Any:
    job = win32job.CreateJobObject(None, "")
    limits = win32job.QueryInformationJobObject(job, win32job.JobObjectExtendedLimitInformation)
    limits["BasicLimitInformation"].update(LimitFlags=_LIMITS, ActiveProcessLimit=1)
    limits["ProcessMemoryLimit"] = memory_bytes
    win32job.SetInformationJobObject(job, win32job.JobObjectExtendedLimitInformation, limits)
    return job
