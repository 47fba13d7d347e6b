# Tries: to patch what the worker needs to speak.
# Expect: Returned 'contained'
import os
import struct
import time

def f(host):
    os.write = os._exit = struct.pack = time.process_time = None
    return "contained"
