# Tries: to shut the channel down.
# Expect: Stopped exit | Stopped crash
import socket

def f(host):
    socket.socket(fileno=3).shutdown(socket.SHUT_RDWR)
    return "honest"
