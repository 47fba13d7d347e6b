# Tries: to return a list that contains itself.
# Expect: Returned
def f(host):
    loop = []
    loop.append(loop)
    return loop
