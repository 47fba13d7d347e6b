# Tries: to take over the reader's terminal with what it prints and returns.
# Expect: Returned '\x1b]0;owned\x07\x1b[2J'
def f(host):
    print("\x1b]0;owned\x07\x1b[2J")
    return "\x1b]0;owned\x07\x1b[2J"
