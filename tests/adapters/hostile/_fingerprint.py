"""What a program finds: the same before and after any other program ran. Runs inside the sandbox."""

import decimal
import gc
import json
import os
import random
import signal
import sys
import threading


def f(host):
    return [
        len([1, 2]),
        json.dumps({"a": [1.5, None]}),
        str(decimal.Decimal(1) / 3),
        random.random(),
        sys.getrecursionlimit(),
        sys.getswitchinterval(),
        sys.gettrace() is None,
        len(sys.meta_path),
        len(sys.path),
        gc.isenabled(),
        sorted(os.environ.items()),
        threading.active_count(),
        [str(signal.getsignal(number)) for number in (signal.SIGTERM, signal.SIGALRM, signal.SIGUSR1)],
        sorted(name for name in sys.modules if name.startswith(("mpt", "program"))),
        sorted(os.listdir("/usr/lib")),
    ]
