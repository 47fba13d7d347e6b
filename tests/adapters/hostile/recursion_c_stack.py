# Tries: to overflow the C stack by lifting the limit of recursion.
# Expect: Stopped crash | Stopped recursion | Stopped memory
import sys

def f(host):
    sys.setrecursionlimit(10**9)
    class Deep:
        def __repr__(self):
            return repr([self])
    return repr(Deep())
