"""The system calls a program may make, by name → number on x86_64, number on aarch64 (None where there is none)."""

from __future__ import annotations

from typing import Optional

# fmt: off
CALLS: dict[str, tuple[Optional[int], Optional[int]]] = {
    "read": (0, 63), "write": (1, 64), "open": (2, None), "close": (3, 57), "stat": (4, None), "fstat": (5, 80),
    "lstat": (6, None), "newfstatat": (262, 79), "statx": (332, 291), "statfs": (137, 43), "fstatfs": (138, 44),
    "access": (21, None), "faccessat": (269, 48), "faccessat2": (439, 439), "openat": (257, 56),
    "readlink": (89, None), "readlinkat": (267, 78), "getdents": (78, None), "getdents64": (217, 61),
    "getcwd": (79, 17), "lseek": (8, 62),
    "pread64": (17, 67), "readv": (19, 65), "writev": (20, 66), "fadvise64": (221, 223), "umask": (95, 166),
    "dup": (32, 23), "dup2": (33, None), "dup3": (292, 24), "pipe": (22, None), "pipe2": (293, 59),
    "select": (23, None), "pselect6": (270, 72), "poll": (7, None), "ppoll": (271, 73), "epoll_create": (213, None),
    "epoll_create1": (291, 20), "epoll_ctl": (233, 21), "epoll_wait": (232, None), "epoll_pwait": (281, 22),
    "epoll_pwait2": (441, 441), "eventfd2": (290, 19),
    "mmap": (9, 222), "mprotect": (10, 226), "munmap": (11, 215), "mremap": (25, 216), "madvise": (28, 233),
    "brk": (12, 214), "membarrier": (324, 283),
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139), "rt_sigpending": (127, 136),
    "rt_sigtimedwait": (128, 137), "rt_sigsuspend": (130, 133), "sigaltstack": (131, 132), "pause": (34, None),
    "nanosleep": (35, 101), "clock_nanosleep": (230, 115), "clock_gettime": (228, 113), "clock_getres": (229, 114),
    "gettimeofday": (96, 169), "time": (201, None), "times": (100, 153), "alarm": (37, None), "getitimer": (36, 102),
    "setitimer": (38, 103), "restart_syscall": (219, 128),
    "getpid": (39, 172), "gettid": (186, 178), "getppid": (110, 173), "getpgrp": (111, None), "getpgid": (121, 155),
    "getsid": (124, 156), "getuid": (102, 174), "geteuid": (107, 175), "getgid": (104, 176), "getegid": (108, 177),
    "getgroups": (115, 158), "getresuid": (118, 148), "getresgid": (120, 150), "getpriority": (140, 141),
    "getrlimit": (97, 163), "getrusage": (98, 165), "sysinfo": (99, 179), "uname": (63, 160), "getcpu": (309, 168),
    "getrandom": (318, 278),
    "sched_yield": (24, 124), "sched_getaffinity": (204, 123), "sched_getparam": (143, 121),
    "sched_getscheduler": (145, 120), "sched_get_priority_max": (146, 125), "sched_get_priority_min": (147, 126),
    "futex": (202, 98), "set_robust_list": (273, 99), "get_robust_list": (274, 100), "set_tid_address": (218, 96),
    "rseq": (334, 293), "exit": (60, 93), "exit_group": (231, 94), "wait4": (61, 260), "waitid": (247, 95),
    "sendto": (44, 206), "recvfrom": (45, 207), "sendmsg": (46, 211), "recvmsg": (47, 212), "shutdown": (48, 210),
    "getsockname": (51, 204), "getpeername": (52, 205), "getsockopt": (55, 209), "setsockopt": (54, 208),
    "ioctl": (16, 29), "fcntl": (72, 25), "prctl": (157, 167), "prlimit64": (302, 261), "clone": (56, 220),
    "clone3": (435, 435), "kill": (62, 129), "tgkill": (234, 131), "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240), "socketpair": (53, 199),
}
FOR_CHILDREN: dict[str, tuple[Optional[int], Optional[int]]] = {
    "setsid": (112, 157), "landlock_restrict_self": (446, 446),
}
"""What the zygote needs besides, and its children before they give it up."""
# fmt: on
