# Tries: to link, rename or remove files of the host and of the interpreter.
# Expect: Returned 'contained'
import os

def f(host):
    for deed in (lambda: os.link(host["secret"], "/tmp/mine"), lambda: os.rename(host["secret"], host["secret"] + "2"),
                 lambda: os.unlink(host["secret"]), lambda: os.unlink(os.__file__), lambda: os.rmdir(host["tmp"]),
                 lambda: os.mkdir("/tmp/mine"), lambda: os.mkfifo("/tmp/fifo"), lambda: os.truncate(os.__file__, 0)):
        try:
            deed()
            return "did it"
        except OSError:
            pass
    return "contained"
