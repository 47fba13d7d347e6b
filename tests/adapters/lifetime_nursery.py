"""Makes processes that each open a sandbox and run programs in it until they are killed; told so line by line.

A line: the wall, and a folder that marks the command lines of everything the process starts. Answers with its id.
--deaf: as under a program that ignores SIGCHLD, which those it starts inherit.
"""

import contextlib
import os
import signal
import sys
from pathlib import Path

from builders import arguments, program
from fakes import FakeWatch
from mpt.adapters.sandbox import open_sandbox
from mpt.values import Limits

SOURCES = ("def f(x): return x", "def f(x):\n    while True: pass", "import time\ndef f(x): time.sleep(9)")


def live(wall: str, mark: str) -> None:
    sandbox = open_sandbox(wall, roots=[Path(mark)])
    while True:
        sandbox.run([program(source) for source in SOURCES], [arguments(1)], Limits(input_s=0.05), FakeWatch())


if __name__ == "__main__":
    if "--deaf" in sys.argv:
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            live(*line.split())
        print(pid, flush=True)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
