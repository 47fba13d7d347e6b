# Tries: to leak through a name look-up.
# Expect: Returned 'contained'
import socket

def f(host):
    try:
        return socket.getaddrinfo("secret.example.org", 80)
    except OSError:
        return "contained"
