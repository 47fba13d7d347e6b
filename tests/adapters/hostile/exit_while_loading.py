# Tries: to leave while its module is loaded.
# Expect: Stopped load
import os

os._exit(0)

def f(host):
    return 1
