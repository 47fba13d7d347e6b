#!/usr/bin/env python3
"""The main job, once, for real: pull the embedded model into an empty cache, judge one example with it.

Fails unless the model was pulled, its programs ran inside the wall, and the example was judged: which verdict it gets
is the model's business.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MPT = Path(sys.executable).with_name("mpt")
JUDGED = {"CONSISTENT", "INCONSISTENT", "AMBIGUOUS"}
EXAMPLE = "examples/quickstart.py::NAME"


def mpt(*arguments: str, cache: str) -> str:
    """Runs mpt with its cache in `cache`, its progress shown; stops us unless its exit code is 0 or 1."""
    start = time.monotonic()
    done = subprocess.run(
        [MPT, *arguments], cwd=ROOT, env={**os.environ, "XDG_CACHE_HOME": cache}, stdout=subprocess.PIPE, text=True
    )
    print(f"mpt {' '.join(arguments)}: exit code {done.returncode}, {time.monotonic() - start:.0f} s", flush=True)
    if done.returncode not in (0, 1):
        sys.exit(done.stdout)
    return done.stdout


def main() -> None:
    with tempfile.TemporaryDirectory() as cache:
        mpt("llm", "pull", cache=cache)
        report = mpt("check", EXAMPLE, "--llm", "embedded", "--format", "json", cache=cache)
    functions = json.loads(report)["functions"]
    print(json.dumps(functions, indent=2))
    if [function["status"] in JUDGED for function in functions] != [True]:
        sys.exit(f"{EXAMPLE} was not judged")
    if not functions[0]["spent"]["llm_calls"]:
        sys.exit(f"{EXAMPLE} was judged without asking the model")


if __name__ == "__main__":
    main()
