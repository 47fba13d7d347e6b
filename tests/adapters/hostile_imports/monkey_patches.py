# Tries: to put functions of its own in place of those the worker uses
# Expect: Imported
import builtins
import gc
import json
import marshal
import os
import random
import select
import signal
import socket
import struct
import sys
import time


def broken(*arguments, **keywords):
    raise RuntimeError("monkey")


PATCHED = {
    os: (
        "fork",
        "_exit",
        "read",
        "write",
        "close",
        "dup2",
        "wait4",
        "setsid",
        "kill",
        "killpg",
        "getpid",
        "open",
        "pipe",
    ),
    time: ("time", "monotonic", "monotonic_ns", "process_time_ns", "sleep", "clock_gettime"),
    json: ("loads", "dumps", "JSONDecoder"),
    select: ("poll", "select"),
    signal: ("signal", "set_wakeup_fd", "setitimer"),
    socket: ("socket", "SocketType", "socketpair"),
    struct: ("Struct", "pack", "unpack"),
    gc: ("collect", "freeze", "enable"),
    marshal: ("dumps", "loads"),
    random: ("seed", "Random"),
    builtins: ("open", "len", "print", "isinstance", "type", "__import__", "compile", "exec", "getattr"),
    sys: ("settrace", "setprofile", "addaudithook", "exit", "intern"),
}
for module, names in PATCHED.items():
    for name in names:
        setattr(module, name, broken)
ONE = 1
