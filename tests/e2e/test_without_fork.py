"""`mpt check` where the system has no fork, which is all of Windows that can be tried elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import FAST, RIGHT, WRONG, Home, home_with_model, scripted

METHOD = '''from pkg.near import STEP
class Counter:
    def __init__(self, start: int):
        self.value = start
    def double(self, x: int) -> int:
        """Return twice the given number, and count one step."""
        self.value += STEP
        return {body}
'''
PROGRAM = "```python\ndef double(self, x):\n    self.value += STEP\n    return x + x\n```"


def without_fork(tmp_path: Path, home: Home) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text("import os\ndel os.fork\n")
    home.env["PYTHONPATH"] = str(tmp_path / "site")
    home.settings('sandbox = "none"\n')


def test_a_method_in_its_module_which_every_process_imports_anew(tmp_path: Path) -> None:
    with home_with_model(tmp_path, scripted(PROGRAM)) as (home, _):
        without_fork(tmp_path, home)
        home.write("pkg/__init__.py", "")
        home.write("pkg/near.py", "STEP = 2\n")
        for body, code, status in (("2 * x", 0, "CONSISTENT"), ("x * x", 1, "INCONSISTENT")):
            home.write("pkg/counter.py", METHOD.format(body=body))
            ran = home.run("check", "pkg/counter.py", *FAST)
            assert (ran.code, ran.functions[0]["status"]) == (code, status), ran.err
            assert not any("cannot be imported" in note for note in ran.functions[0]["notes"])


@pytest.mark.parametrize(
    ("does", "why"),
    [
        ("import sys; sys.exit(3)", "SystemExit: 3"),
        ("import os; os._exit(3)", "importing it ends the process"),
        ("print('x' * 100); import no_such", "No module named 'no_such'"),
    ],
)
def test_a_module_that_cannot_be_imported_is_a_reason(tmp_path: Path, does: str, why: str) -> None:
    with home_with_model(tmp_path, scripted(PROGRAM)) as (home, _):
        without_fork(tmp_path, home)
        home.write("counter.py", does + "\n" + METHOD.format(body="2 * x").replace("from pkg.near import STEP", ""))
        ran = home.run("check", "counter.py", *FAST)
    assert ran.functions[0]["status"] == "INCONCLUSIVE"
    assert why in ran.functions[0]["reason"]
    assert "'STEP'" in ran.functions[0]["reason"]


@pytest.mark.parametrize(("text", "code", "status"), [(WRONG, 1, "INCONSISTENT"), (RIGHT, 0, "CONSISTENT")])
def test_a_check_with_a_person_who_wants_no_wall(tmp_path: Path, text: str, code: int, status: str) -> None:
    with home_with_model(tmp_path) as (home, _):
        without_fork(tmp_path, home)
        home.write("a.py", text)
        ran = home.run("check", "a.py", *FAST)
    assert ran.code == code, ran.err
    [function] = ran.functions
    assert function["status"] == status
    assert function["spent"]["executions"] > 20
