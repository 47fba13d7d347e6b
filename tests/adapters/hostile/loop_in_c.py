# Tries: to run on inside one C call, which no Python signal handler interrupts.
# Expect: Stopped time
def f(host):
    return sum(range(10**15))
