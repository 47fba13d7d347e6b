# Tries: to pass for an int by lying about its class.
# Expect: Wire {"object":["Liar",[]]}
class Liar:
    @property
    def __class__(self):
        return int

def f(host):
    return Liar()
