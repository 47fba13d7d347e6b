# Tries: to take all the memory, bit by bit.
# Expect: Stopped memory
def f(host):
    hoard = []
    while True:
        hoard.append(bytes(1 << 20))
