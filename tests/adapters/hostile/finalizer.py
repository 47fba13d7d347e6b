# Tries: to run on when its objects are destroyed.
# Expect: Returned 'contained'
import os

class Undead:
    def __del__(self):
        while True:
            pass

keep = Undead()
keep.itself = keep

def f(host):
    return "contained"
