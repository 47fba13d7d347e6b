"""Functions over other people's types: copies agree, and copies of the original find a change; the input is shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

import judging
from distributions import environment
from judging import tools_on
from mpt.ports import Tools
from mpt.source import find_functions
from mpt.spelling import call
from mpt.values import Stopped

DOCUMENT = Path(__file__).with_name("documents") / "types.py"
FUNCTIONS = {one.name: one for one in find_functions(DOCUMENT.read_text(), str(DOCUMENT)) if one.prompt.segments}


judged = partial(judging.judged, executions=100)


@pytest.fixture(scope="module")
def tools() -> Iterator[Tools]:
    yield from tools_on()


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tools]:
    """On an environment without any package."""
    folder = tmp_path_factory.mktemp("bare") / "venv"
    environment(folder)
    yield from tools_on(folder)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_copies_agree_and_a_change_is_found(tools: Tools, name: str) -> None:
    function = FUNCTIONS[name]
    report = judged(tools, function, function)
    assert report.verdict.status == "CONSISTENT", report.verdict.reason
    assert not any("dropped" in note for note in report.notes), report.notes
    assert report.evidence is not None
    assert [seen for seen in report.evidence.target if isinstance(seen, Stopped)] == []  # what is refused is set aside
    assert "LIMIT" in function.source
    changed = replace(function, source=function.source.replace("LIMIT", "(LIMIT - 1)"))
    report = judged(tools, changed, function)
    assert report.verdict.status == "INCONSISTENT", report.verdict.reason
    assert call(name, report.verdict.disagreements[0].arguments).startswith(f"{name}(")


def test_a_docstring_and_a_name_tell_of_arrays_and_frames(tools: Tools) -> None:
    for name, text in (("discounted", "numpy.array(["), ("cheapest", "columns=['city', 'price'])")):
        report = judged(tools, FUNCTIONS[name], FUNCTIONS[name])
        assert report.evidence is not None
        assert any(text in call(name, one) for one in report.evidence.inputs)


ABSENT = """
from __future__ import annotations
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
LIMIT = 3
def total(a: np.ndarray) -> float:
    \"\"\"The sum of all, and the limit.\"\"\"
    return float(a.sum()) + LIMIT
def either(a: np.ndarray | list[int]) -> int:
    \"\"\"The sum of all, and the limit.\"\"\"
    return sum(a) + LIMIT
def perhaps(n: int, table: pd.DataFrame = None) -> int:
    \"\"\"The number, and the limit.\"\"\"
    return n + LIMIT
"""


def test_what_is_not_installed_is_named(bare: Tools) -> None:
    functions = {one.name: one for one in find_functions(ABSENT)}
    report = judged(bare, functions["total"], functions["total"])
    assert report.verdict.status == "INCONCLUSIVE"
    assert report.verdict.reason == (
        "cannot make a value for parameter 'a': it is annotated ndarray, and numpy is not installed in the document's "
        "environment"
    )
    for name in ("either", "perhaps"):
        report = judged(bare, functions[name], functions[name])
        assert report.verdict.status == "CONSISTENT", report.verdict.reason


def test_a_name_that_the_document_gives_to_something_else_is_no_hindrance(bare: Tools) -> None:
    text = (
        "from datetime import datetime\nLIMIT = 3\ndef year(moment: datetime) -> int:\n"
        '    """The year, some years on."""\n    return moment.year + LIMIT\n'
    )
    [function] = find_functions(text)
    report = judged(bare, function, function)
    assert report.verdict.status == "CONSISTENT", report.verdict.reason
    assert report.evidence is not None
    assert "datetime.datetime(" in call("year", report.evidence.inputs[0])
