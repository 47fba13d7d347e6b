# Tries: to crash.
# Expect: Stopped crash
import ctypes

def f(host):
    return ctypes.string_at(0)
