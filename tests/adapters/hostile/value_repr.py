# Tries: to run code when it is shown.
# Expect: Wire {"object":["Showy",[]]}
import os

class Showy:
    def __repr__(self):
        os._exit(0)
    __str__ = __format__ = __repr__

def f(host):
    return Showy()
