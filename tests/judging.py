"""Real functions, judged without a language model: by copies of themselves, or of what they were before a change."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from fakes import FakeModel, FakeStore, FakeWatch
from mpt import codegen, pipeline
from mpt.adapters.loop_fuzzer import LoopFuzzer
from mpt.adapters.sandbox import open_sandbox
from mpt.ports import Tools
from mpt.settings import Settings
from mpt.values import Function, Origin, Report


def tools_on(python: Path | None = None) -> Iterator[Tools]:
    """With the real sandbox, on that environment's interpreter, and the loop; for a fixture to yield from."""
    sandbox = open_sandbox("auto", python)
    yield Tools(lambda: FakeModel(lambda request: ""), sandbox, (LoopFuzzer(sandbox),), FakeStore(), time.monotonic)
    sandbox.close()


def judged(tools: Tools, function: Function, original: Function, executions: int = 300) -> Report:
    """By five copies of `original`."""
    target = codegen.target(original)
    copies = [replace(target, origin=Origin("paraphrase", paraphrase=number)) for number in range(5)]
    return pipeline.compare(function, copies, tools, Settings(fuzz_executions=executions), FakeWatch())
