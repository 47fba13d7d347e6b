# Tries: to change what builtins mean for everybody.
# Expect: Returned 'contained'
import builtins

def f(host):
    for name in ("len", "isinstance", "type", "sorted", "list", "str", "zip", "print", "open", "min", "id", "getattr"):
        setattr(builtins, name, None)
    return "contained"
