# Tries: to make the worker's own code raise.
# Expect: Returned 'contained'
import warnings

def f(host):
    warnings.simplefilter("error")
    return "contained"
