# Tries: to live on as a daemon: fork, setsid, fork.
# Expect: Returned 'contained'
import os
import time

def f(host):
    try:
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(1000)
            os._exit(0)
    except OSError:
        return "contained"
