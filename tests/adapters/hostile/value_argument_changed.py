# Tries: to make the argument hostile in place.
# Expect: Returned 1
class Chameleon:
    def __eq__(self, other):
        return True

def f(host):
    host["self"] = host
    host["odd"] = Chameleon()
    return 1
