# Tries: to end every process there is
# Expect: Imported | Failed importing it ends the process
import os
import signal

for pid in (-1, 1, os.getppid(), HOST["parent"]):
    try:
        os.kill(pid, signal.SIGKILL)
    except OSError:
        continue
ONE = 1
