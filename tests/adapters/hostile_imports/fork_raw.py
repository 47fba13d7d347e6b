# Tries: processes by system calls of its own: fork, vfork, clone with and without more than a fork, clone3
# Expect: Imported
import ctypes
import errno
import platform

LIBC = ctypes.CDLL(None, use_errno=True)
CALLS = {"x86_64": ([57], [58], [56, 17], [56, 0x4100 | 17], [56, 0x10000000 | 17], [56, 0x8000 | 17], [435, 0, 88])}
for words in CALLS.get(platform.machine(), ([220, 17], [435, 0, 88])):
    pid = LIBC.syscall(*(ctypes.c_long(word) for word in (*words, 0, 0, 0, 0)))
    if pid == 0:
        LIBC._exit(0)
    assert pid < 0, words
    assert ctypes.get_errno() in (errno.EPERM, errno.ENOSYS), (words, ctypes.get_errno())
ONE = 1
