# Tries: to change modes, owners and dates, which landlock does not guard.
# Expect: Returned 'contained'
import os

def f(host):
    for path in (host["secret"], os.__file__, host["project"]):
        for deed in (lambda: os.chmod(path, 0o777), lambda: os.chown(path, 0, 0), lambda: os.utime(path, (0, 0)),
                     lambda: os.setxattr(path, "user.evil", b"1")):
            try:
                deed()
                return "did it"
            except OSError:
                pass
    return "contained"
