"""The worker's start: `python -S -s -B …/mpt/worker OPTIONS`, inside a wall. Python 3.9 and later.

OPTIONS is one JSON object: control (descriptor of the control socket), unshare (enter name spaces of our own?),
confine (add landlock and seccomp?), readable (all that may be read then), prefixes (whose site-packages programs may
import), linked (folders that editable installs add), roots (the document's import roots), idle_s.
"""

import json
import os
import sys
import types
from pathlib import Path


def main() -> None:
    options = json.loads(sys.argv[1])
    os.dup2(options["control"], 3)
    if options["control"] != 3:
        os.close(options["control"])
    _make_importable(Path(__file__).parent)
    from mpt.worker import start

    start.serve(3, options)


def _make_importable(folder: Path) -> None:
    """`mpt.worker` is this folder; the rest of the package is neither needed nor there."""
    sys.path.pop(0)
    package = types.ModuleType("mpt")
    package.__path__ = [str(folder.parent)]
    sys.modules["mpt"] = package


if __name__ == "__main__":
    main()
