# Tries: to kill its parent, its group, its neighbours and everybody.
# Expect: Returned 'contained'
import os
import signal

def f(host):
    for pid in (os.getppid(), 1, 2, 3, host["parent"], 0, -1, -os.getppid(), -host["parent"]):
        for number in (signal.SIGKILL, signal.SIGSTOP, 0):
            try:
                os.kill(pid, number)
                return pid, number
            except OSError:
                pass
    return "contained"
