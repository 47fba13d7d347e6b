# Tries: fork, vfork, clone and clone3 by their numbers.
# Expect: Returned 'contained'
import ctypes
import signal
import struct

def f(host):
    libc = ctypes.CDLL(None, use_errno=True)
    tries = [libc.syscall(57), libc.syscall(58), libc.syscall(56, signal.SIGCHLD, 0, 0, 0, 0),
             libc.syscall(56, 0x20000000 | signal.SIGCHLD, 0, 0, 0, 0),
             libc.syscall(435, struct.pack("8Q", 0, 0, 0, 0, signal.SIGCHLD, 0, 0, 0), 64)]
    return "contained" if set(tries) == {-1} else tries
