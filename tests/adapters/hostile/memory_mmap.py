# Tries: to take memory past the allocator.
# Expect: Returned 'contained'
import mmap

def f(host):
    maps = []
    try:
        for _ in range(10_000):
            maps.append(mmap.mmap(-1, 64 << 20))
    except OSError:
        return "contained"
