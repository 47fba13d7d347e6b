"""The real server around a scripted check, for tests over stdio: `python scripted_server.py FOLDER`.

What a check does stands in the docstring of the function it is about:

    says inconsistent | ambiguous | consistent | inconclusive    the verdict; consistent where nothing is said
    holds                                                        waits for FOLDER/release, heeding a stop
    stubborn                                                     the same, heeding nothing
    burns                                                        the same, and a child process keeps a processor busy
    raises                                                       ModelUnavailable
    breaks                                                       RuntimeError
    prints                                                       to stdout, from Python and from a child
    evil                                                         an answer full of markup and control codes

FOLDER/calls has a line a check begun, FOLDER/ended one a check that came to its end, FOLDER/open a line a set of tools.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path

import builders
from fakes import FakeModel, FakeSandbox, FakeStore
from mpt.adapters.priority import standing_back
from mpt.adapters.sqlite_store import SqliteStore
from mpt.errors import ModelUnavailable
from mpt.ports import Store, Tools, Watch
from mpt.settings import Decoded, Settings
from mpt.spelling import value_of
from mpt.values import (
    Answer,
    Arguments,
    Disagreement,
    Evidence,
    Example,
    Function,
    Origin,
    Paraphrase,
    Program,
    Report,
    Returned,
    Spent,
    Verdict,
)
from mpt_server.__main__ import serve
from mpt_server.engine import IN_AN_EDITOR, Engine

EVIL = "\x1b[31m`|</td>\n![x](http://127.0.0.1/x.png)\n[y](command:z)\u202e"


def engine(folder: Path, select: str = "documented") -> Engine:
    def note(file: str, line: str) -> None:
        with (folder / file).open("a", encoding="utf-8") as stream:
            stream.write(line + "\n")

    def open_store() -> Store:
        return SqliteStore(folder / "store.sqlite3")

    def open_tools(settings: Settings) -> Tools:
        note("open", f"{settings.llm} {settings.python}")
        model = FakeModel(lambda request: "")
        closing = (lambda: note("closed", "tools"),)
        sandbox = FakeSandbox(lambda program, arguments: builders.returned(0))
        return Tools(lambda: model, sandbox, (), FakeStore(), time.monotonic, closing)

    def check(function: Function, tools: Tools, settings: Settings, watch: Watch) -> Report:
        said = function.prompt.description
        note("calls", function.name)
        watch.phase("generate", 5)
        if "prints" in said:
            print("this is not the protocol", flush=True)
            subprocess.run([sys.executable, "-c", "print('nor is this')"], check=True)
        if "burns" in said:
            burn(folder / "release", watch)
        while ("holds" in said or "stubborn" in said) and not (folder / "release").exists():
            if "holds" in said:
                watch.check()
            time.sleep(0.005)
        if "raises" in said:
            raise ModelUnavailable("no language model: run `mpt llm pull`, or name one with --llm")
        if "breaks" in said:
            raise RuntimeError("a bug")
        watch.phase("run", 6)
        note("ended", function.name)
        return report(function, said)

    return Engine(lambda: Decoded(Settings(select=select)), open_store, open_tools, check)


def burn(release: Path, watch: Watch) -> None:
    """As a real check does: it waits while programs run elsewhere, which stand back."""
    child = subprocess.Popen(standing_back([sys.executable, "-c", "while True: pass"], IN_AN_EDITOR["nice"]))
    try:
        while not release.exists():
            watch.check()
            time.sleep(0.02)
    finally:
        child.kill()
        child.wait()


def report(function: Function, said: str) -> Report:
    """Two inputs, five paraphrase programs of which four answer 0 on the first."""
    smallest = Arguments((value_of([1, 2]), value_of(0)), origin="example")
    larger = Arguments((value_of([1, 2, 3]), value_of(0)), origin="fuzzed")
    target = Returned(value_of(EVIL if "evil" in said else 3))
    zero, three = Returned(value_of(0)), target
    found = tuple(
        Disagreement(one, target, (Answer(zero, (1, 2, 3, 4)), Answer(three, (5,)))) for one in (smallest, larger)
    )
    programs = tuple(
        Program(
            f"def {function.prompt.entry_point}(numbers, start):\n    return 0\n", function.prompt.entry_point, origin
        )
        for origin in (Origin("target"), *(Origin("paraphrase", "paraphrase", n, "scripted") for n in range(5)))
    )
    rows = ((target, target), *(((zero, zero),) * 4), (three, three))
    examples = (Example(smallest, value_of(0)),) if "contradicts" in said else ()
    printed = ("adding\n", *[""] * 5)
    evidence = Evidence(programs, (smallest, larger), rows, examples, printed)
    paraphrases = tuple(Paraphrase(function.prompt, "paraphrase", 0.8) for _ in range(5))
    spent = Spent(1.5, 10, 900, 300, 460)
    for status in ("INCONSISTENT", "AMBIGUOUS", "INCONCLUSIVE"):
        if f"says {status.lower()}" in said:
            shown = found if status != "INCONCLUSIVE" else ()
            verdict = Verdict(status, f"scripted {status}", shown, 0.2)
            return Report(function, verdict, evidence, paraphrases, spent=spent)
    return Report(function, Verdict("CONSISTENT", "scripted", agreement=1.0), evidence, paraphrases, spent=spent)


if __name__ == "__main__":
    os._exit(asyncio.run(serve(engine(Path(sys.argv[1]), *sys.argv[2:3]))))
