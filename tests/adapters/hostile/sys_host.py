# Tries: to learn about the machine from /sys.
# Expect: Returned 'contained'
import os

def f(host):
    try:
        return os.listdir("/sys/class/net")
    except OSError:
        return "contained"
