# Tries: to return an integer of a million digits.
# Expect: Returned 10**1_000_000
def f(host):
    return 10**1_000_000
