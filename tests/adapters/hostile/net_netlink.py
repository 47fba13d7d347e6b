# Tries: netlink, packet, raw, Bluetooth, VM and kernel crypto sockets.
# Expect: Returned 'contained'
import socket

def f(host):
    for family in (16, 17, 2, 31, 40, 38, 44):
        for kind in (socket.SOCK_RAW, socket.SOCK_DGRAM, socket.SOCK_STREAM, socket.SOCK_SEQPACKET):
            try:
                return socket.socket(family, kind), family
            except OSError:
                pass
    return "contained"
