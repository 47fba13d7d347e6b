# Tries: to have the kernel send SIGKILL to the parent when a pipe is readable (F_SETOWN, F_SETSIG).
# Expect: Returned 'contained'
import fcntl
import os
import signal

def f(host):
    for pid in (os.getppid(), 1, 2, host["parent"]):
        read, write = os.pipe()
        try:
            fcntl.fcntl(read, fcntl.F_SETOWN, pid)
            fcntl.fcntl(read, 10, signal.SIGKILL)
            fcntl.fcntl(read, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
            os.write(write, b"x")
            return pid
        except OSError:
            pass
    return "contained"
