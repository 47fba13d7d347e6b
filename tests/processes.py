"""What Linux says about processes that a test started."""

from __future__ import annotations

from pathlib import Path


def children_of(pid: int) -> list[int]:
    """None of one that has just ended."""
    try:
        lists = list(Path(f"/proc/{pid}/task").glob("*/children"))
        return [int(child) for children in lists for child in children.read_text().split()]
    except (FileNotFoundError, ProcessLookupError):
        return []


def is_running(pid: int) -> bool:
    """False also for one that ended, with all its threads, and that nobody has waited for."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        threads = list(Path(f"/proc/{pid}/task").iterdir())
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX" or len(threads) > 1
