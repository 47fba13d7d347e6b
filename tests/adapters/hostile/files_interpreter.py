# Tries: to change the interpreter's own library.
# Expect: Returned 'contained'
import os

def f(host):
    for name in (os.__file__, os.path.join(os.path.dirname(os.__file__), "evil.py")):
        try:
            with open(name, "a") as file:
                return file.write("# owned")
        except OSError:
            pass
    return "contained"
