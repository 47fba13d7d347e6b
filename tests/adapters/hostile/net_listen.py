# Tries: to open a service for others.
# Expect: Returned 'contained'
import socket

def f(host):
    try:
        return socket.create_server(("0.0.0.0", 0)).getsockname()
    except OSError:
        return "contained"
