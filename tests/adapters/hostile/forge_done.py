# Tries: to say that it is done before it is.
# Expect: Stopped blocked
import gc
import os

def f(host):
    for thing in gc.get_objects():
        if type(thing).__name__ == "Channel":
            thing.done()
    import sys
    frame = sys._getframe()
    while frame:
        channel = frame.f_locals.get("channel")
        if channel:
            channel.done()
        frame = frame.f_back
    return "honest"
