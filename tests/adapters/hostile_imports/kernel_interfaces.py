# Tries: system calls that reach into the kernel or into other processes
# Expect: Imported
import ctypes
import errno
import platform

LIBC = ctypes.CDLL(None, use_errno=True)
CALLS = {
    "x86_64": {
        **{"ptrace": 101, "bpf": 321, "io_uring_setup": 425, "keyctl": 250, "mount": 165, "unshare": 272, "setns": 308},
        **{"userfaultfd": 323, "perf_event_open": 298, "init_module": 175, "process_vm_readv": 310, "shmget": 29},
        **{"pidfd_open": 434, "pidfd_getfd": 438, "open_by_handle_at": 304, "memfd_create": 319, "seccomp": 317},
        **{
            "execve": 59,
            "chroot": 161,
            "pivot_root": 155,
            "fsopen": 430,
            "kexec_load": 246,
            "swapon": 167,
            "msgget": 68,
        },
    },
    "aarch64": {
        "ptrace": 117,
        "bpf": 280,
        "io_uring_setup": 425,
        "keyctl": 219,
        "mount": 40,
        "unshare": 97,
        "setns": 268,
    },
}
for name, number in CALLS.get(platform.machine(), {}).items():
    answer = LIBC.syscall(ctypes.c_long(number), *[ctypes.c_long(0)] * 6)
    assert answer < 0 and ctypes.get_errno() in (errno.EPERM, errno.ENOSYS), (name, answer, ctypes.get_errno())
ONE = 1
