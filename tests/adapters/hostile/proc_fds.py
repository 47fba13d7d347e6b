# Tries: to take over what other processes have open.
# Expect: Returned 'contained'
import os

def f(host):
    for number in ["self", "thread-self", os.getppid(), *range(1, 50)]:
        try:
            return os.listdir("/proc/%s/fd" % number)
        except OSError:
            pass
    return "contained"
