# Tries: to drown the machine in processes.
# Expect: Returned 'contained'
import os

def f(host):
    made = 0
    for _ in range(50):
        try:
            if os.fork() == 0:
                while True:
                    os.fork()
            made += 1
        except OSError:
            pass
    return made or "contained"
