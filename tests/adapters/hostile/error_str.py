# Tries: to hang while its exception is put into words.
# Expect: Stopped time
class Wordy(Exception):
    def __str__(self):
        while True:
            pass

def f(host):
    raise Wordy
