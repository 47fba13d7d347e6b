# Tries: to find the worker's objects with gc and break them.
# Expect: Returned 'contained' | Stopped exit | Stopped crash
import gc

def f(host):
    for thing in gc.get_objects():
        if isinstance(thing, dict) and str(thing.get("__name__", "")).startswith("mpt"):
            thing.clear()
    return "contained"
