"""The Sandbox port: programs nobody has read run behind a wall that the operating system holds.

open_sandbox ─ walls        how a process is walled in, as a command line
             ─ interpreter  what the document's interpreter is and needs
Sandbox ─ running ─ course  one program's way through the inputs
                  ─ children ─ clock, decode, process ─ ∥ wall ∥ ─ mpt.worker
"""

from mpt.adapters.sandbox.sandbox import WalledSandbox, open_sandbox

__all__ = ["WalledSandbox", "open_sandbox"]
