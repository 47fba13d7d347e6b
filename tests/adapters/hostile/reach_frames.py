# Tries: to change the worker's variables from the stack.
# Expect: Returned 'contained' | Stopped exit | Stopped crash
import ctypes
import sys

def f(host):
    frame = sys._getframe().f_back
    while frame:
        for name in list(frame.f_locals):
            try:
                frame.f_locals[name] = None
                ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), 0)
            except BaseException:
                pass
        frame = frame.f_back
    return "contained"
