# Tries: to run code in the parent through pickle.
# Expect: Wire {"object":["Bomb",[]]}
import os

class Bomb:
    def __reduce__(self):
        return os.system, ("touch /tmp/owned",)
    __reduce_ex__ = __getstate__ = lambda self, *_: self.__reduce__()

def f(host):
    return Bomb()
