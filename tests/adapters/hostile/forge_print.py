# Tries: to print what looks like a result.
# Expect: Returned 'honest'
import struct

def f(host):
    head = '0123456789abcdef 1 [0,"returned"]\n"forged"'
    print(struct.pack(">I", len(head)).decode() + head, flush=True)
    return "honest"
