"""Ties a child process to its parent: when the parent ends, however it ends, so does the child.

The parent holds the other end of the child's standard input and never closes it; the system does, when the parent is
gone. (Linux's PR_SET_PDEATHSIG would also fire when only the thread ends that started the child.)

`python -P -m mpt.adapters.tether MODULE ARGUMENT…` runs a module so tied, as `python -m MODULE ARGUMENT…` would.
"""

from __future__ import annotations

import os
import runpy
import sys
import threading


def tie_to_parent() -> None:
    """From now on standard input is for this alone."""
    threading.Thread(target=_end_with_input, name="tether", daemon=True).start()


def _end_with_input() -> None:
    while os.read(0, 4096):
        pass
    os._exit(1)


if __name__ == "__main__":
    tie_to_parent()
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
