# Tries: to return a string of a hundred megabytes.
# Expect: Opaque long str
def f(host):
    return "x" * 100_000_000
