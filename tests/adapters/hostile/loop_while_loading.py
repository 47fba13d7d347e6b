# Tries: never to finish loading.
# Expect: Stopped load
while True:
    pass

def f(host):
    return 1
