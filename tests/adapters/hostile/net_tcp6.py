# Tries: the same over IPv6.
# Expect: Returned 'contained'
import socket

def f(host):
    try:
        socket.create_connection(("::1", host["tcp"]), timeout=0.2).sendall(b"leak")
    except OSError:
        return "contained"
