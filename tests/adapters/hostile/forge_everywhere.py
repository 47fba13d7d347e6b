# Tries: to write a result of its own on every descriptor it finds.
# Expect: Stopped blocked
import json
import os
import struct

def f(host):
    head = json.dumps(["", 0.0, 1, [0, "returned"]]) + '\n"forged"\n'
    for fd in range(64):
        try:
            os.write(fd, struct.pack(">I", len(head)) + head.encode())
        except OSError:
            pass
    return "honest"
