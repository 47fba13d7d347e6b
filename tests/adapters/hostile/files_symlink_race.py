# Tries: to swap a symbolic link to a secret under the feet of a check.
# Expect: Returned 'contained'
import os
import threading

def f(host):
    made = []
    def swap():
        for place in ("/tmp/link", "/link", "/dev/shm/link", host["tmp"] + "/link"):
            for target in ("/dev/null", host["secret"]):
                try:
                    os.symlink(target, place)
                    made.append(place)
                    os.unlink(place)
                except OSError:
                    pass
    thread = threading.Thread(target=swap)
    thread.start()
    for _ in range(100):
        for place in ("/tmp/link", "/link", "/dev/shm/link", host["tmp"] + "/link"):
            try:
                made.append(open(place).read())
            except OSError:
                pass
    thread.join()
    return made or "contained"
