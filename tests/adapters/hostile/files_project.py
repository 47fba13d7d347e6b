# Tries: to write into the person's project.
# Expect: Returned 'contained'
import os

def f(host):
    for flags in (os.O_WRONLY, os.O_RDWR, os.O_WRONLY | os.O_CREAT, os.O_WRONLY | os.O_TRUNC):
        for name in ("code.py", "new.py"):
            try:
                return os.open(os.path.join(host["project"], name), flags)
            except OSError:
                pass
    return "contained"
