# Tries: to list the person's home directory.
# Expect: Returned 'contained'
import os

def f(host):
    try:
        return os.listdir(host["home"])
    except OSError:
        return "contained"
