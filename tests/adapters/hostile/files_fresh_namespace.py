# Tries: to become root of a new user name space and mount there.
# Expect: Returned 'contained'
import ctypes

def f(host):
    libc = ctypes.CDLL(None, use_errno=True)
    tries = [libc.unshare(flag) for flag in (0x10000000, 0x00020000, 0x10020000, 0x20000000, 0x40000000)]
    tries += [libc.setns(fd, 0) for fd in range(5)]
    return "contained" if set(tries) == {-1} else tries
