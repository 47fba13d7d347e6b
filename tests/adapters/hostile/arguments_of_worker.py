# Tries: to learn the worker's options from its command line.
# Expect: Returned 'contained'
import sys

def f(host):
    return "contained" if sys.argv == [""] else sys.argv
