# Tries: to send a datagram to the host.
# Expect: Returned 'contained'
import socket

def f(host):
    try:
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"leak", ("127.0.0.1", host["udp"]))
    except OSError:
        return "contained"
