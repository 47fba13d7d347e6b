# Tries: to return ten million items.
# Expect: Opaque list | Stopped output | Stopped memory | Stopped time
def f(host):
    return [[]] * 10_000_000
