# Tries: to spread out with multiprocessing.
# Expect: Stopped blocked | Stopped load | Raised FileNotFoundError
import multiprocessing

def f(host):
    with multiprocessing.Pool(4) as pool:
        return pool.map(abs, [1, 2])
