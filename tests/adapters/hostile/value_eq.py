# Tries: to pass every comparison with an object that equals everything.
# Expect: Wire {"object":["Chameleon",[]]}
class Chameleon:
    def __eq__(self, other):
        return True
    def __hash__(self):
        return 0

def f(host):
    return Chameleon()
