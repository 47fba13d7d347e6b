# Tries: to run on from an exit hook.
# Expect: Returned 'contained'
import atexit
import time

def f(host):
    atexit.register(time.sleep, 1000)
    return "contained"
