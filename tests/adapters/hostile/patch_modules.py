# Tries: to empty the table of modules.
# Expect: Returned 'contained' | Stopped crash | Stopped exit
import sys

def f(host):
    for name in list(sys.modules):
        if name not in ("sys", "builtins"):
            sys.modules[name] = None
    return "contained"
