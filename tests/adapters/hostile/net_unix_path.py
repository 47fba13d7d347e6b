# Tries: to talk to a UNIX socket of the host by its path.
# Expect: Returned 'contained'
import socket

def f(host):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET):
        try:
            socket.socket(socket.AF_UNIX, kind).connect(host["unix"])
            return "connected"
        except OSError:
            pass
    return "contained"
