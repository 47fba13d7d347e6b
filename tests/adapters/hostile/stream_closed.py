# Tries: to leave the standard streams broken.
# Expect: Returned 'contained'
import sys

class Exploding:
    def __getattribute__(self, name):
        raise SystemExit

def f(host):
    sys.stdout.close()
    sys.stderr = sys.stdout = sys.stdin = Exploding()
    return "contained"
