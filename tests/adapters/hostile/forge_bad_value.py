# Tries: to send a text that is no value by the worker's own function.
# Expect: Stopped blocked
import sys

def f(host):
    frame = sys._getframe()
    while frame:
        emit = frame.f_locals.get("emit")
        if emit:
            emit.send('[0,"returned"]', '{"range":[1,2,0]}')
        frame = frame.f_back
    return "honest"
