# Tries: to hide the name of its exception.
# Expect: Raised Hidden
class Meta(type):
    @property
    def __name__(cls):
        raise KeyboardInterrupt

class Hidden(Exception, metaclass=Meta):
    pass

def f(host):
    raise Hidden("x" * 10**6)
