# Tries: to print without end.
# Expect: Stopped output
def f(host):
    while True:
        print("x" * 10_000)
