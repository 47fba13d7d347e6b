"""CrossHair `diffbehavior` of the target and one paraphrase program: the inputs of the differences it reports."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from common import show, start


def main() -> None:
    job, _ = start()
    folder = Path(tempfile.mkdtemp())
    for name, source in (("left", job["source"]), ("right", job["other"])):
        (folder / f"{name}.py").write_text(source, encoding="utf-8")
    name = job["entry_point"]
    command = [sys.executable, "-S", "-c", "import sys, os; sys.path[:0] = [os.environ['PEER_PACKAGES'], '.'];"
               "from crosshair.main import main; main()", "diffbehavior", f"left.{name}", f"right.{name}",
               f"--per_condition_timeout={job['seconds']}"]  # fmt: skip
    done = subprocess.run(command, cwd=folder, env=dict(os.environ), capture_output=True, text=True)
    for given in re.findall(r"^Given: \((.*)\),?$", done.stdout, re.MULTILINE):
        try:
            call = ast.parse(f"f({given})", mode="eval").body
            assert isinstance(call, ast.Call)
            show([ast.literal_eval(node) for node in [*call.args, *(key.value for key in call.keywords)]])
        except (SyntaxError, ValueError):
            continue


if __name__ == "__main__":
    main()
