# Tries: to crash whoever asks about its type.
# Expect: Opaque Thing
class Meta(type):
    def __getattribute__(cls, name):
        raise RuntimeError(name)
    def __instancecheck__(cls, other):
        return True
    def __subclasscheck__(cls, other):
        return True
    def __eq__(cls, other):
        return True
    def __hash__(cls):
        return hash(int)

class Thing(metaclass=Meta):
    pass

def f(host):
    return Thing()
