# Tries: to take a descriptor out of its parent by pidfd_getfd, or signal through a pidfd.
# Expect: Returned 'contained'
import ctypes
import os

def f(host):
    libc = ctypes.CDLL(None, use_errno=True)
    for pid in (os.getppid(), 1, 2, host["parent"]):
        fd = libc.syscall(434, pid, 0)
        if fd != -1:
            return fd, libc.syscall(438, fd, 3, 0), libc.syscall(424, fd, 9, 0, 0)
    return "contained"
