"""An hour at the editor, compressed: a few minutes of it. `benchmarks/soak.py` alone does all of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SOAK = Path(__file__).parents[2] / "benchmarks" / "soak.py"


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.timeout(400)
def test_the_right_warnings_and_no_process_left_after_a_wild_time() -> None:
    done = subprocess.run([sys.executable, SOAK, "--actions", "40"], capture_output=True, text=True, timeout=390)
    assert done.returncode == 0, done.stdout + done.stderr
