# Tries: as many processes as it can get
# Expect: Imported forks
import os

for _ in range(2000):
    try:
        if os.fork() == 0:
            while True:
                pass
    except OSError:
        continue
    raise AssertionError("it could fork")
ONE = 1
