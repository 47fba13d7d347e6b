# Tries: to announce a frame of four gigabytes.
# Expect: Stopped blocked
import os

def f(host):
    os.write(3, b"\xff\xff\xff\xff")
    return "honest"
