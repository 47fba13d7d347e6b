# Tries: to change how the interpreter goes on
# Expect: Imported
import atexit
import builtins
import gc
import os
import signal
import sys
import warnings

gc.disable()
gc.set_threshold(0)
warnings.simplefilter("error")
atexit.register(os._exit, 7)
sys.excepthook = sys.unraisablehook = sys.displayhook = None
sys.setprofile(lambda *a: None)
sys.stdin = sys.stdout = sys.stderr = open(os.devnull)
os.environ.clear()
builtins.__import__ = builtins.open = builtins.len = None
for number in (signal.SIGCHLD, signal.SIGXCPU, signal.SIGTERM, signal.SIGVTALRM, signal.SIGINT):
    signal.signal(number, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD, signal.SIGTERM, signal.SIGXCPU, signal.SIGVTALRM})
signal.setitimer(signal.ITIMER_REAL, 0)
ONE = 1
