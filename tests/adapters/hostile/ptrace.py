# Tries: to trace, read and write its parent and its neighbours.
# Expect: Returned 'contained'
import ctypes
import os

def f(host):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.ptrace.restype = ctypes.c_long
    buffer = ctypes.create_string_buffer(64)
    for pid in (os.getppid(), 1, 2, host["parent"]):
        if libc.ptrace(16, pid, 0, 0) != -1 or libc.ptrace(0x4206, pid, 0, 0) != -1:
            return "traced", pid
        if libc.syscall(310, pid, buffer, 1, buffer, 1, 0) != -1 or libc.syscall(311, pid, buffer, 1, buffer, 1, 0) != -1:
            return "read", pid
    return "contained" if libc.ptrace(0, 0, 0, 0) == -1 else "traceable"
