# Tries: to raise with a chain of a hundred thousand causes.
# Expect: Raised ValueError
def f(host):
    error = None
    for _ in range(100_000):
        fresh = ValueError("x")
        fresh.__context__ = error
        error = fresh
    raise error
