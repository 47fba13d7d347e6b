# Tries: to take the channel for a socket and shut it down, then to empty it and to change its size.
# Expect: Returned 'contained'
import fcntl
import os
import socket

def f(host):
    for deed in (lambda: socket.socket(fileno=os.dup(3)).shutdown(socket.SHUT_RDWR), lambda: os.read(3, 10),
                 lambda: os.ftruncate(3, 0), lambda: fcntl.fcntl(3, 1031, 4096)):
        try:
            deed()
            return "did it"
        except OSError:
            pass
    return "contained"
