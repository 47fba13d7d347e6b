# Tries: to leave a file in every place that is usually writable.
# Expect: Returned 'contained'
import os
import tempfile

def f(host):
    for folder in (host["tmp"], "/tmp", "/var/tmp", "/dev/shm", "/run", "/", ".", os.path.expanduser("~")):
        try:
            return tempfile.mkstemp(dir=folder)
        except OSError:
            pass
    return "contained"
