"""How far a child process stands back for the person's other work."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence


def standing_back(command: Sequence[str], nice: int) -> list[str]:
    """The command so many steps back, as of nice(1); as it is where the system has no such tool."""
    tool = shutil.which("nice") if nice and sys.platform != "win32" else None  # Git's, there, is no exec
    return [tool, "-n", str(nice), *command] if tool else list(command)
