# Tries: to write into its own and its parent's memory through /proc.
# Expect: Returned 'contained'
import os

def f(host):
    for number in ("self", os.getppid(), 1):
        try:
            return os.open("/proc/%s/mem" % number, os.O_RDWR)
        except OSError:
            pass
    return "contained"
