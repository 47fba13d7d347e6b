# Tries: to fill the disk.
# Expect: Stopped blocked | Raised FileNotFoundError
def f(host):
    with open("/tmp/flood", "wb") as file:
        while True:
            file.write(bytes(1 << 20))
