# Tries: to read a secret, and to leave something behind anywhere
# Expect: Imported
import os

for path in (HOST["secret"], "/etc/passwd", "/proc/1/environ", "/proc/self/mem"):
    try:
        open(path, "rb").read(10)
    except OSError:
        continue
    raise AssertionError("it could read " + path)
for folder in (HOST["home"], HOST["project"], HOST["tmp"], "/tmp", "/dev/shm", "/var/tmp", "/", "."):
    try:
        open(os.path.join(folder, "left-behind"), "w")
    except OSError:
        pass
    else:
        raise AssertionError("it could write in " + folder)
    for change in (os.mkdir, os.unlink):
        try:
            change(os.path.join(folder, "left-behind"))
        except OSError:
            continue
        raise AssertionError("it could change " + folder)
ONE = 1
