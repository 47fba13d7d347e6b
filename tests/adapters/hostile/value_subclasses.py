# Tries: to slip code in under builtin types.
# Expect: Wire [1,{"object":["Str",[["str","x"]]]}]
class Str(str):
    def __eq__(self, other):
        return True
    __hash__ = str.__hash__

def f(host):
    return [1, Str("x")]
