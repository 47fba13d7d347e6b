"""The worker's start: `python -S -s -B .../mpt/worker/__main__.py OPTIONS`, inside a wall. Python 3.9 and later.

OPTIONS is one JSON object: prefixes (whose site-packages programs may import), linked (folders that editable installs
add), roots (the document's import roots); for a zygote control (descriptor of the control socket), unshare (enter name
spaces of our own?), confine (add landlock and seccomp?), readable (all that may be read then), idle_s, context (will it
be told of a module to import first?), grants (descriptor, or null: see mpt.worker.warden); where the system has no fork
frames (see mpt.worker.single).
"""

import sys

if sys.version_info < (3, 9):  # this file alone must make sense to older ones, down to its ASCII
    sys.exit("it is Python " + ".".join(map(str, sys.version_info[:3])))

folder = sys.path.pop(0)  # ours: its files are modules of mpt.worker, not of the top level

import json  # noqa: E402
import os  # noqa: E402
import types  # noqa: E402

package = types.ModuleType("mpt")
package.__path__ = list(os.path.split(folder)[:1])
sys.modules["mpt"] = package  # the rest of the package is neither needed nor there

from mpt.worker import start  # noqa: E402

options = json.loads(sys.argv[1])
if "frames" in options:
    from mpt.worker import single

    single.serve(options)
if options["grants"] == 3:
    options["grants"] = os.dup(3)
os.dup2(options["control"], 3)
if options["control"] != 3:
    os.close(options["control"])
start.serve(3, options)
