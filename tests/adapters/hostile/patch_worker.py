# Tries: to import the worker's modules and change them.
# Expect: Returned 'contained'
def f(host):
    try:
        from mpt.worker import codec
        codec.encode = lambda value: '"forged"'
    except ImportError:
        pass
    return "contained"
