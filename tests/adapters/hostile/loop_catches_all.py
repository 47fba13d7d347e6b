# Tries: to swallow whatever might stop it.
# Expect: Stopped time
def f(host):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
