"""The main job, once, for real: pull the embedded model where it is missing, judge one example with it.

Fails unless the example was judged, which takes the model, the wall and the fuzzer; which verdict it gets is the
model's business.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = "examples/quickstart.py::has_close_elements"
JUDGED = {"CONSISTENT", "INCONSISTENT", "AMBIGUOUS"}


def mpt(*arguments: str) -> str:
    """What mpt printed. An exit code besides 0 and 1 (something is inconsistent) ends us."""
    start = time.monotonic()
    command = [Path(sys.executable).with_name("mpt"), *arguments]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    print(f"mpt {' '.join(arguments)}: exit code {done.returncode}, {time.monotonic() - start:.0f} s", flush=True)
    if done.returncode not in (0, 1):
        sys.exit(done.stdout)
    return done.stdout


def main() -> None:
    mpt("llm", "pull")
    functions = json.loads(mpt("check", EXAMPLE, "--llm", "embedded", "--format", "json"))["functions"]
    print(json.dumps(functions, indent=2))
    if [function["status"] in JUDGED for function in functions] != [True]:
        sys.exit(f"{EXAMPLE} was not judged")


if __name__ == "__main__":
    main()
