# Tries: to send a result by the worker's own function, found on the stack, before the real one.
# Expect: Stopped blocked
import sys

def f(host):
    frame = sys._getframe()
    while frame:
        emit = frame.f_locals.get("emit")
        if emit:
            emit.send('[0,"returned"]', '"forged"')
            emit.send('[0,"returned"]', '"forged"')
            break
        frame = frame.f_back
    return "honest"
