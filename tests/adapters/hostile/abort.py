# Tries: to abort.
# Expect: Stopped crash
import os

def f(host):
    os.abort()
