"""`mpt check` of what needs its module: a method, in a package and in a notebook; what would be sent, word for word."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import FAST, home_with_model, scripted

NEAR = "STEP = 2\n"
STACK = '''from .near import STEP


class Counter:
    def __init__(self, start: int):
        self.value = start

    def double(self, x: int) -> int:
        """Return twice the given number, and count one step."""
        self.value += STEP
        return {body}
'''
PROGRAM = "```python\nclass Counter:\n    def double(self, x):\n        self.value += STEP\n        return x + x\n```"
CELL = '"""Nothing."""\nSTEP = 2\n', STACK.partition("\n\n\n")[2]


def test_a_method_is_judged_in_its_package(tmp_path: Path) -> None:
    with home_with_model(tmp_path, scripted(PROGRAM)) as (home, server):
        home.write("pkg/__init__.py", "")
        home.write("pkg/near.py", NEAR)
        for body, code, status in (("2 * x", 0, "CONSISTENT"), ("x * x", 1, "INCONSISTENT")):
            home.write("pkg/counter.py", STACK.format(body=body))
            ran = home.run("check", "pkg/counter.py", *FAST)
            assert (ran.code, ran.functions[0]["status"]) == (code, status), ran.err
        asked = server.asked[-1].body["messages"][-1]["content"]
    assert "from .near import STEP" in asked
    assert "x * x" not in asked


def test_in_a_notebook_the_cells_above_are_the_module(tmp_path: Path) -> None:
    cells = [{"cell_type": "code", "source": cell.replace("{body}", "2 * x")} for cell in CELL]
    with home_with_model(tmp_path, scripted(PROGRAM)) as (home, _):
        home.write("a.ipynb", json.dumps({"nbformat": 4, "cells": cells}))
        ran = home.run("check", "a.ipynb", *FAST)
    [function] = ran.functions
    assert (ran.code, function["status"], function["path"]) == (0, "CONSISTENT", "a.ipynb#cell2"), ran.err


def test_a_dry_run_sends_nothing_and_prints_what_would_be_sent(tmp_path: Path) -> None:
    with home_with_model(tmp_path, scripted(PROGRAM)) as (home, server):
        home.write("counter.py", STACK.format(body="2 * x"))
        ran = home.run("check", "counter.py", "--dry-run")
        assert server.asked == []
    assert ran.code == 0
    assert "# double is a method of Counter." in ran.out
    assert "Return twice the given number, and count one step." in ran.out
    assert "2 * x" not in ran.out


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("    return handle.greet(LIMIT)\n", "no input was found that it takes"),
        ("    return os.urandom(8), LIMIT\n", "answers differently when it is called twice"),
        ("    os._exit(LIMIT)\n", "did not end by itself on any input"),
    ],
)
def test_what_cannot_be_judged_is_known_before_a_model_is_asked(tmp_path: Path, body: str, reason: str) -> None:
    with home_with_model(tmp_path) as (home, server):
        home.write("a.py", f'import os\nLIMIT = 3\ndef f(handle):\n    """Greet it."""\n{body}')
        ran = home.run("check", "a.py", *FAST)
    [function] = ran.functions
    assert function["status"] == "INCONCLUSIVE"
    assert reason in function["reason"]
    assert (server.asked, function["spent"]["llm_calls"]) == ([], 0)
