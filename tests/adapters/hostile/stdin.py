# Tries: to wait for the person to type.
# Expect: Raised EOFError
def f(host):
    return input("password: ")
