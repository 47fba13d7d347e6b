"""A process with what it starts, on POSIX: a process group."""

from __future__ import annotations

import math
import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress

from mpt.adapters.sandbox.process import Setup, command, environment, nameless_file
from mpt.worker.zygote import cpu_seconds


class Group:
    """Starts on construction, with `request` on stdin. The worker's code limits itself. Raises OSError."""

    def __init__(self, setup: Setup, request: bytes, memory_bytes: int, pipes: Sequence[int]) -> None:
        frames, out, err = pipes
        with nameless_file(request) as stdin:
            self._process = subprocess.Popen(
                command(setup, {"frames": frames}),
                env=environment(setup),
                cwd=setup.interpreter.executable.anchor,
                stdin=stdin,
                stdout=out,
                stderr=err,
                pass_fds=[frames],
                start_new_session=True,
            )

    def wait(self) -> tuple[int, float]:
        """Waits for its end and ends what it leaves behind: its exit code, and the CPU seconds it has used."""
        os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT)  # its number is not another's yet
        cpu_s = self.cpu_s()
        self.end()
        return self._process.wait(), cpu_s if math.isfinite(cpu_s) else 0.0

    def cpu_s(self) -> float:
        """So far; infinite where the system will not say."""
        return cpu_seconds(self._process.pid)

    def end(self) -> None:
        """Kills all of it; from any thread."""
        if self._process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
