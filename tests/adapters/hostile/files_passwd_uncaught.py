# Tries: to read a file of the host, and lets the refusal out.
# Expect: Raised FileNotFoundError | Stopped blocked
def f(host):
    return open(host["secret"]).read()
