# Tries: to send from a socket pair, which needs no socket(), to any address.
# Expect: Returned 'contained'
import socket

def f(host):
    for kind in (socket.SOCK_DGRAM, socket.SOCK_SEQPACKET, socket.SOCK_STREAM):
        for address in ("\0" + host["abstract"], host["unix_datagram"]):
            try:
                one, other = socket.socketpair(socket.AF_UNIX, kind)
                one.sendto(b"leak", address)
                return kind, address
            except OSError:
                pass
    return "contained"
