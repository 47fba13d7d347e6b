# Tries: as many threads as it can get
# Expect: Imported starts a thread | Failed
import threading
import time

try:
    for _ in range(5000):
        threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
except (RuntimeError, MemoryError):
    pass
assert threading.active_count() < 1000
ONE = 1
