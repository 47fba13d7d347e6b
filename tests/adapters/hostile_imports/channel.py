# Tries: to say in the worker's place that all is well, and to say much more
# Expect: Failed
import os

os.write(3, b'{"failure": null, "notes": []}\n')
os.write(3, b"S" + bytes(16) * 100)
raise ValueError
