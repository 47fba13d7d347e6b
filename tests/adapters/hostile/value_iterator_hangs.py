# Tries: to return a generator that hangs when it is read.
# Expect: Stopped time
def f(host):
    def items():
        yield 1
        while True:
            pass
    return items()
