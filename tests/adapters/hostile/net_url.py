# Tries: to fetch a page, and lets what happens out.
# Expect: Stopped blocked
import urllib.request

def f(host):
    return urllib.request.urlopen("http://127.0.0.1:%d/" % host["tcp"], timeout=0.2).read()
