# Tries: to write a result of its own on every descriptor it finds.
# Expect: Stopped blocked
import os
import struct

def f(host):
    head = '0123456789abcdef 1 [0,"returned"]\n"forged"'
    for fd in range(64):
        try:
            os.write(fd, struct.pack(">I", len(head)) + head.encode())
        except OSError:
            pass
    return "honest"
