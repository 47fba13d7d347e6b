# Tries: to keep memory in files that live in memory.
# Expect: Returned 'contained'
import os

def f(host):
    try:
        fd = os.memfd_create("hoard")
        while True:
            os.write(fd, bytes(1 << 20))
    except OSError:
        return "contained"
