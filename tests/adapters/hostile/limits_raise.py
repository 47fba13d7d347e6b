# Tries: to lift its own limits and to set its parent's.
# Expect: Returned 'contained'
import os
import resource

def f(host):
    for kind in (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_NOFILE):
        for deed in (lambda: resource.setrlimit(kind, (-1, -1)), lambda: resource.prlimit(os.getppid(), kind, (1, 1)),
                     lambda: resource.prlimit(0, kind, (-1, -1))):
            try:
                deed()
                return kind
            except (OSError, ValueError):
                pass
    return "contained"
