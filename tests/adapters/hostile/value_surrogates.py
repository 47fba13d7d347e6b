# Tries: to return a string with lone surrogates.
# Expect: Returned '\ud800\udfff'
def f(host):
    return "\ud800\udfff"
