# Tries: to go on in a thread after it has returned.
# Expect: Returned 'contained'
import threading
import time

def f(host):
    def on():
        while True:
            time.sleep(0.01)
    threading.Thread(target=on).start()
    return "contained"
