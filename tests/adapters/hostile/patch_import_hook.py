# Tries: to answer every later import.
# Expect: Returned 'contained'
import sys

class Finder:
    def find_spec(self, *_):
        raise ImportError("owned")

def f(host):
    sys.meta_path.insert(0, Finder())
    sys.path_hooks.clear()
    sys.path.clear()
    return "contained"
