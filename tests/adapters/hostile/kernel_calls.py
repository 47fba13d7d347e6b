# Tries: system calls that have opened kernels before: io_uring, bpf, perf, keys, userfaultfd, memfd, modules, kexec.
# Expect: Returned 'contained'
import ctypes

def f(host):
    libc = ctypes.CDLL(None, use_errno=True)
    numbers = (425, 426, 427, 321, 298, 248, 249, 250, 323, 319, 175, 313, 246, 320, 101, 310, 311, 438, 434, 424, 303, 447)
    reached = [number for number in numbers if libc.syscall(number, 1, 0, 0, 0, 0, 0) != -1]
    return reached or "contained"
