# Tries: to use up the open files.
# Expect: Returned 'contained'
import os

def f(host):
    made = 0
    try:
        while True:
            os.dup(1)
            made += 1
    except OSError:
        return "contained" if made < 1000 else made
