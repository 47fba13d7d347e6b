# Tries: sockets of every family, to whatever listens on the host
# Expect: Imported makes a socket
import socket

FAMILIES = (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX, socket.AF_NETLINK, socket.AF_PACKET)
for family in FAMILIES:
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW):
        try:
            made = socket.socket(family, kind)
        except OSError:
            continue
        for address in (("127.0.0.1", HOST["tcp"]), HOST["unix"], HOST["unix_datagram"], "\0" + HOST["abstract"]):
            try:
                made.sendto(b"x", address)
                made.connect(address)
            except (OSError, TypeError):
                continue
ONE = 1
