# Tries: to take away what the worker stands on
# Expect: Imported | Failed
import array
import gc
import json
import marshal
import os
import random
import select
import signal
import socket
import struct
import sys
import time

for module in (os, signal, time, json, select, socket, struct, marshal, array, gc, random):
    for name in list(vars(module)):
        if not name.startswith("__"):
            setattr(module, name, None)
sys.modules.clear()
sys.path.clear()
sys.meta_path.clear()
sys.settrace(lambda *a: None)
sys.stdout = sys.stderr = None
sys.setrecursionlimit(60)
ONE = 1
