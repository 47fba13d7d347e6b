# Tries: to fill the channel with noise.
# Expect: Stopped blocked
import os

def f(host):
    while True:
        os.write(3, bytes(range(256)) * 256)
