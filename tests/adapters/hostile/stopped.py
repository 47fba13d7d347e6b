# Tries: to stop itself like a debugged process.
# Expect: Stopped time
import os
import signal

def f(host):
    os.kill(os.getpid(), signal.SIGSTOP)
    return 1
