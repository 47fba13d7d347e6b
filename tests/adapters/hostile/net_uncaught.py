# Tries: to open a socket, and lets the refusal out.
# Expect: Stopped blocked
import socket

def f(host):
    return socket.socket().fileno()
