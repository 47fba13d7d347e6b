# Tries: to kill whatever has a process id near its own.
# Expect: Returned 'contained'
import os
import signal

def f(host):
    for pid in range(max(1, os.getpid() - 50), os.getpid() + 50):
        if pid != os.getpid():
            try:
                os.kill(pid, signal.SIGKILL)
                return pid
            except OSError:
                pass
    return "contained"
