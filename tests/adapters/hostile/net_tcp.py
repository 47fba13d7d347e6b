# Tries: to reach a service on the host's loopback.
# Expect: Returned 'contained'
import socket

def f(host):
    try:
        socket.create_connection(("127.0.0.1", host["tcp"]), timeout=0.2).sendall(b"leak")
    except OSError:
        return "contained"
