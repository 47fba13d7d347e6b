# Tries: to hang in a regular expression.
# Expect: Stopped time
import re

def f(host):
    return re.match(r"(a*)*b", "a" * 60)
