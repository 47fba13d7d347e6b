"""Forks, asked for and granted: by the kernel itself, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mpt.worker import seccomp

SCRIPT = """
import os, socket, sys
from mpt.worker import kernel, seccomp, warden
ours, theirs = socket.socketpair()
kernel.no_new_privileges()
asking = seccomp.of_zygote(asks=True) if sys.argv[1] == "asks" else b""
warden.enter(asking, seccomp.of_zygote(asks=False), int(sys.argv[2]), theirs)
made = 0
for _ in range(5):
    try:
        pid = os.fork()
    except PermissionError:
        break
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    made += 1
try:
    socket.socket()
except PermissionError:
    made = str(made) + " and no socket"
os.write(1, str(made).encode())
os._exit(0)
"""


@pytest.mark.skipif(sys.platform != "linux" or not seccomp.supported(), reason="there is no seccomp here")
@pytest.mark.parametrize(
    ("way", "granted", "made"),
    [("asks", 0, "0"), ("asks", 3, "3"), ("cannot ask", 0, "5")],
)
def test_as_many_forks_as_were_granted(way: str, granted: int, made: str) -> None:
    grants, ours = os.pipe()
    os.write(ours, b"\0" * granted)
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT, way, str(grants)],
        pass_fds=[grants],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    os.close(grants)
    os.close(ours)
    assert ran.stdout == f"{made} and no socket", ran.stderr
