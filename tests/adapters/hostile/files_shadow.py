# Tries: to read the password hashes.
# Expect: Returned 'contained'
def f(host):
    try:
        return open("/etc/shadow").read()
    except OSError:
        return "contained"
