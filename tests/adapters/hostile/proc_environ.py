# Tries: to read the environment and the command line of every process through /proc.
# Expect: Returned 'contained'
import os

def f(host):
    found = []
    for number in [os.getppid(), 1, 2, host["parent"], *range(1, 200)]:
        for name in ("environ", "cmdline", "maps", "status"):
            try:
                found.append(open("/proc/%d/%s" % (number, name)).read())
            except OSError:
                pass
    return found or "contained"
