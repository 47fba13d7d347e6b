"""mpt from Python:

from pathlib import Path
import mpt

for report in mpt.check(Path("slug.py").read_text(), "slugify"):
    print(report.function.name, report.verdict.status, report.verdict.reason)
    for found in report.verdict.disagreements:
        print(found.arguments, found.target, found.others)

report = mpt.evaluate("programs.jsonl", ["paraphrase5.toml"], policies=["default", "majority"])
for row in report["rows"]:
    print(row["policy"], row["recall"], row["fpr"])
"""

from __future__ import annotations

from mpt import pipeline
from mpt.errors import UsageError
from mpt.evaluation import evaluate
from mpt.evaluation.gather import Unwatched
from mpt.ports import Tools, Watch
from mpt.settings import Settings
from mpt.source import find_functions
from mpt.values import Report
from mpt.wiring import open_tools

__all__ = ["check", "evaluate"]


def check(
    text: str,
    function: str | None = None,
    *,
    settings: Settings | None = None,
    tools: Tools | None = None,
    watch: Watch | None = None,
) -> tuple[Report, ...]:
    """Judges the documented functions of a Python text, or the one called `function` (qualified: `Class.method`).

    tools: `mpt.wiring.open_tools(settings)` where none are given, closed afterwards. Raises MptError, Cancelled.
    """
    found = [one for one in find_functions(text) if (function is None and one.prompt.segments) or one.name == function]
    if not found:
        raise UsageError(
            f"the text has no function {function!r}" if function else "the text has no documented function"
        )
    chosen = settings or Settings()
    used = tools or open_tools(chosen)
    try:
        return tuple(pipeline.check(one, used, chosen, watch or Unwatched()) for one in found)
    finally:
        if tools is None:
            used.close()
