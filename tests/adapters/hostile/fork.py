# Tries: to fork, and lets the refusal out.
# Expect: Stopped blocked
import os

def f(host):
    return os.fork()
