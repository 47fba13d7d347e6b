# Tries: to leave switches of the interpreter turned for the next program.
# Expect: Returned 'contained'
import decimal
import gc
import locale
import os
import random
import signal
import sys
import threading

def f(host):
    decimal.getcontext().prec = 2
    gc.disable()
    random.seed(7)
    sys.setrecursionlimit(2000)
    sys.setswitchinterval(100)
    os.environ["OWNED"] = "1"
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    threading.stack_size(1 << 20)
    os.umask(0)
    return "contained"
