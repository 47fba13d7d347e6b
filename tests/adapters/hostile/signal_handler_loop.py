# Tries: to be called back by a timer while the worker answers.
# Expect: Returned 'contained' | Stopped time | Raised RuntimeError | Stopped exit | Stopped crash
import signal

def f(host):
    def loop(number, frame):
        raise RuntimeError("owned")
    signal.signal(signal.SIGALRM, loop)
    signal.setitimer(signal.ITIMER_REAL, 0.0001, 0.0001)
    return "contained"
