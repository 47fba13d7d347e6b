# Tries: to mount the host's files, or new ones, into sight.
# Expect: Returned 'contained'
import ctypes

def f(host):
    libc = ctypes.CDLL(None, use_errno=True)
    tries = [libc.mount(b"none", b"/", b"tmpfs", 0, None), libc.mount(b"proc", b"/proc", b"proc", 0, None),
             libc.mount(b"/", b"/usr", None, 4096, None), libc.umount2(b"/usr", 2), libc.chroot(b"/usr"),
             libc.syscall(155, b"/", b"/"), libc.syscall(428, -100, b"/", 1), libc.syscall(430, b"tmpfs", 0)]
    return "contained" if set(tries) == {-1} else tries
