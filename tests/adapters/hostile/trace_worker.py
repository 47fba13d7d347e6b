# Tries: to trace the worker after it has returned and change its results.
# Expect: Returned 'contained'
import sys

def f(host):
    def trace(frame, event, argument):
        if "text" in frame.f_locals:
            frame.f_locals["text"] = '"forged"'
        return trace
    frame = sys._getframe()
    while frame:
        frame.f_trace = trace
        frame = frame.f_back
    sys.settrace(trace)
    sys.setprofile(trace)
    return "contained"
