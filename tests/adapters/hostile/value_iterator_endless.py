# Tries: to return an iterator that never ends.
# Expect: Returned
import itertools

def f(host):
    return (n for n in itertools.count())
