# Tries: the x32 numbers of forbidden system calls.
# Expect: Returned 'contained'
import ctypes

def f(host):
    libc = ctypes.CDLL(None, use_errno=True)
    reached = [number for number in (41, 57, 58, 59, 62, 101) if libc.syscall(0x40000000 | number, 2, 1, 0) != -1]
    return reached or "contained"
