# Tries: to put the read end of a pipe in the channel's place.
# Expect: Stopped exit | Stopped crash | Stopped time
import os

def f(host):
    read, write = os.pipe()
    os.dup2(read, 3)
    return "honest"
