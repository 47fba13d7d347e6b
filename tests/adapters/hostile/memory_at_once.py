# Tries: to take all the memory at once.
# Expect: Stopped memory
def f(host):
    return len(bytearray(1 << 45))
