"""Runs `py-afl-fuzz` inside the wall and tells the parent what it finds, a JSON line on stdout each:

    ["queued", hex]      AFL kept this: it reached something new
    ["tried", hex]       the target was called with this; "unloadable": it could not be loaded
    ["failed", text]     AFL ended by itself, and what it said last

    python afl_driver.py JOB

JOB is a JSON file: command (AFL's, up to `-i`), environment, seeds (hex), target (what AFL runs), folder (empty and
writable), tried (see afl_target), seed. Ends when it is told to (SIGTERM) or its parent is gone; AFL goes with it.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

POLL_S = 0.05
CALL_MS = 300
"""A call that takes longer is a hang to AFL."""
MAX_TRIED = 1 << 20
"""Bytes read of what was tried."""


def main() -> None:
    job = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    folder = Path(job["folder"])
    (folder / "in").mkdir()
    for number, data in enumerate(job["seeds"]):
        (folder / "in" / f"seed{number:03}").write_bytes(bytes.fromhex(data))
    log = (folder / "log").open("w+b")
    process = subprocess.Popen(
        [*job["command"], "-i", str(folder / "in"), "-o", str(folder / "out"), "-s", str(job["seed"] + 1),
         "-t", str(CALL_MS), "-m", "none", "-G", "512", "--", *job["target"]],
        env=job["environment"], stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
    )  # fmt: skip
    try:
        signal.signal(signal.SIGTERM, lambda signum, frame: sys.exit(0))
        watch(process, folder / "out" / "default" / "queue", Path(job["tried"]))
        log.seek(0)
        say("failed", log.read()[-4000:].decode("utf-8", "replace"))
    finally:
        end(process)


def watch(process: subprocess.Popen[bytes], queue: Path, tried: Path) -> None:
    """Reports what is new until AFL ends, or our parent does."""
    known: set[str] = set()
    read = 0
    parent = os.getppid()
    ended = False
    while not ended:
        time.sleep(POLL_S)
        ended = process.poll() is not None or os.getppid() != parent
        for name in sorted(set(names(queue)) - known):
            known.add(name)
            say("queued", (queue / name).read_bytes().hex())
        read += report(tried, read)


def report(tried: Path, start: int) -> int:
    """Says the whole lines that stand in the file from `start` on; how many bytes they were."""
    if start > MAX_TRIED or not tried.exists():
        return 0
    with tried.open("rb") as file:
        file.seek(start)
        lines = file.read(MAX_TRIED)
    whole = lines[: lines.rfind(b"\n") + 1]
    for line in whole.split():
        say("tried", line.decode("ascii", "replace"))
    return len(whole)


def end(process: subprocess.Popen[bytes]) -> None:
    """AFL, told to end, ends what it started; killed, it would leave that behind."""
    process.terminate()
    try:
        process.wait(2)
    except subprocess.TimeoutExpired:
        process.kill()


def names(queue: Path) -> list[str]:
    """Found by AFL; its copies of the seeds are none."""
    try:
        return [file.name for file in queue.iterdir() if file.name.startswith("id:") and "orig:" not in file.name]
    except FileNotFoundError:
        return []


def say(kind: str, text: str) -> None:
    sys.stdout.write(json.dumps([kind, text]) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
