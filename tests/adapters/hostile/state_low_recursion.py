# Tries: to leave the worker no stack to answer with.
# Expect: Returned 'contained' | Stopped recursion | Stopped crash | Stopped exit | Opaque NoneType
import sys

def f(host):
    for limit in range(1, 100):
        try:
            sys.setrecursionlimit(limit)
            break
        except RecursionError:
            pass
    return "contained"
