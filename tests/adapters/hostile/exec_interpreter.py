# Tries: to start another Python, without our limits.
# Expect: Returned 'contained'
import os
import sys

def f(host):
    try:
        os.execv(sys.executable, [sys.executable, "-c", "print('free')"])
    except OSError:
        return "contained"
