# Tries: processes from a thread that lives on, stealing those that programs are granted
# Expect: Imported starts a thread | Failed
import os
import threading
import time


def steal():
    while True:
        try:
            if os.fork() == 0:
                time.sleep(60)
        except OSError:
            time.sleep(0.001)


threading.Thread(target=steal, daemon=True).start()
ONE = 1
