"""The Sandbox port: programs nobody has read run behind a wall that the operating system holds.

open_sandbox ─ choice ─ walls        how a process is walled in, as a command line
                      ─ probe        does it hold? found out by trying
                      ─ interpreter  what the document's interpreter is and needs, without running it
WalledSandbox ─ running ─ course     one program's way through the inputs
                        ─ children   bytes and signals of the forked children; clock, decode
                        ─ process    the worker ∥ wall ∥ mpt.worker
                        ─ spawning   the same without fork: group, or windows, ∥ mpt.worker.single
"""

from mpt.adapters.sandbox.choice import report_all
from mpt.adapters.sandbox.probe import Finding, WallReport
from mpt.adapters.sandbox.sandbox import WalledSandbox, open_sandbox

__all__ = ["Finding", "WallReport", "WalledSandbox", "open_sandbox", "report_all"]
