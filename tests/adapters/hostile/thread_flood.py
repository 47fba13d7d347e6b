# Tries: to drown the machine in threads.
# Expect: Returned 'contained' | Raised RuntimeError | Stopped memory | Stopped time
import threading
import time

def f(host):
    made = 0
    try:
        for _ in range(100_000):
            threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
            made += 1
    except RuntimeError:
        return "contained" if made < 5000 else made
