# Tries: to leave the parent waiting for the rest of a frame.
# Expect: Stopped blocked
import os

def f(host):
    os.write(3, b"\x00\x00\x10\x00[")
    os._exit(0)
