# Tries: to write to stderr without end, past Python.
# Expect: Stopped output
import os

def f(host):
    while True:
        os.write(2, b"x" * 10_000)
