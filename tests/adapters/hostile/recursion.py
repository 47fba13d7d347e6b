# Tries: to recurse without end.
# Expect: Stopped recursion
def f(host):
    return f(host)
