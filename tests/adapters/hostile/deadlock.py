# Tries: to wait for a lock that nobody will release.
# Expect: Stopped time
import threading

def f(host):
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()
