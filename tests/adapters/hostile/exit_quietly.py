# Tries: to leave as if all were well.
# Expect: Stopped exit
import os

def f(host):
    os._exit(0)
