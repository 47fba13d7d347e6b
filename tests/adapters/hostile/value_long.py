# Tries: to return a string that is longer than the channel carries, but not by much.
# Expect: Stopped output
def f(host):
    return "x" * (2 << 20)
