# Tries: to run a shell in every way.
# Expect: Returned 'contained'
import os
import subprocess

def f(host):
    for deed in (lambda: subprocess.run(["/bin/sh", "-c", "id"]), lambda: os.execv("/bin/sh", ["sh", "-c", "id"]),
                 lambda: os.posix_spawn("/bin/sh", ["sh"], {}), lambda: os.popen("id").read()):
        try:
            return deed()
        except OSError:
            pass
    return "contained" if os.system("id") in (-1, 127 << 8) else "ran"  # 127: no shell could be started
