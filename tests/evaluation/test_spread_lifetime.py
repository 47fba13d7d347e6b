"""Killing an evaluation leaves none of its worker processes."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

from processes import children_of, is_running

SCRIPT = """
import time
from pathlib import Path
from mpt.evaluation.spread import open_spread
if __name__ == "__main__":
    with open_spread(2) as spread:
        print(*spread.map(abs, [-1, -2]), flush=True)
        time.sleep(60)
"""


def test_workers_end_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "script.py"  # spawn wants a file to import
    script.write_text(SCRIPT)
    process = subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "1 2\n"
    workers = children_of(process.pid)
    assert len(workers) >= 2
    process.send_signal(signal.SIGKILL)
    process.communicate()
    deadline = time.monotonic() + 20
    while any(map(is_running, workers)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(map(is_running, workers))
