# Tries: to talk to an abstract UNIX socket of the host.
# Expect: Returned 'contained'
import socket

def f(host):
    try:
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b"leak", "\0" + host["abstract"])
    except OSError:
        return "contained"
