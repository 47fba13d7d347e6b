# Tries: to close every descriptor.
# Expect: Stopped exit | Stopped crash
import os

def f(host):
    os.closerange(0, 256)
    return "honest"
