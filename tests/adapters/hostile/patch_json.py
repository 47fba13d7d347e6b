# Tries: to change what the worker writes by patching json.
# Expect: Returned 'contained' | Stopped crash | Stopped exit | Stopped blocked
import json
import json.encoder

def f(host):
    json.dumps = json.JSONEncoder.encode = json.JSONEncoder.iterencode = lambda *a, **k: '"forged"'
    json.encoder.encode_basestring_ascii = json.encoder.c_make_encoder = None
    return "contained"
