# Tries: to compute a number of billions of digits.
# Expect: Stopped time | Stopped memory
def f(host):
    return (9**9**8) % 7
