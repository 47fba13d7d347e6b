# Tries: to raise from within its exception.
# Expect: Raised Wordy
class Wordy(BaseException):
    def __str__(self):
        raise Wordy
    __repr__ = __getattribute__ = __str__

def f(host):
    raise Wordy
