# Tries: to catch MemoryError and go on taking memory.
# Expect: Stopped time | Stopped memory | Stopped crash
def f(host):
    hoard = []
    while True:
        try:
            hoard.append(bytearray(1 << 20))
        except MemoryError:
            pass
