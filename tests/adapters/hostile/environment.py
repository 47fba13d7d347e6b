# Tries: to find secrets in the environment.
# Expect: Returned 'contained'
import os

def f(host):
    ours = {"HOME", "LC_ALL", "TZ", "PWD", "PYTHONUTF8", "PYTHONHASHSEED"}
    rest = {name: value for name, value in os.environ.items() if name not in ours and not name.endswith("_NUM_THREADS")}
    return rest or "contained"
