# Tries: to find a file of the host under other names: through /proc, the root, dots and the old root.
# Expect: Returned 'contained'
import os

def f(host):
    secret = host["secret"]
    roads = [secret, "/.." + secret, "/proc/1/root" + secret, "/proc/self/root" + secret, "/oldroot" + secret,
             "/newroot" + secret, "/proc/%d/root%s" % (os.getppid(), secret), "/proc/self/cwd/.." + secret]
    for road in roads:
        try:
            return open(road).read()
        except OSError:
            pass
    return "contained"
