# Tries: to use up the kernel's memory with pipes filled to the brim.
# Expect: Returned 'contained'
import os

def f(host):
    made = 0
    try:
        while True:
            read, write = os.pipe()
            os.set_blocking(write, False)
            os.write(write, bytes(65536))
            made += 1
    except OSError:
        return "contained" if made < 1000 else made
