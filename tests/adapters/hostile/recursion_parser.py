# Tries: to overflow the compiler's stack.
# Expect: Stopped crash | Stopped recursion | Stopped memory | Raised SyntaxError
def f(host):
    return eval("(" * 5000 + ")" * 5000)
