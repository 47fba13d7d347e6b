# Tries: to open a file of the host by its handle, past every path check.
# Expect: Returned 'contained'
import ctypes
import struct

def f(host):
    libc = ctypes.CDLL(None, use_errno=True)
    handle = ctypes.create_string_buffer(struct.pack("iiq", 8, 1, 2), 128)
    return "contained" if libc.syscall(304, 3, handle, 0) == -1 else "opened"
