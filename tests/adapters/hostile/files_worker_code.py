# Tries: to change the code of the worker itself.
# Expect: Returned 'contained'
import sys

def f(host):
    frame = sys._getframe()
    while frame:
        try:
            with open(frame.f_code.co_filename, "a") as file:
                return file.write("import evil")
        except OSError:
            pass
        frame = frame.f_back
    return "contained"
