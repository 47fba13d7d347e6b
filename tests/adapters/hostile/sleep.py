# Tries: to wait for ever without using any CPU time.
# Expect: Stopped time
import time

def f(host):
    time.sleep(10**6)
