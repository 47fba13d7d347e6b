"""`mpt check` where the system has no fork, which is all of Windows that can be tried elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import FAST, RIGHT, WRONG, home_with_model


@pytest.mark.parametrize(("text", "code", "status"), [(WRONG, 1, "INCONSISTENT"), (RIGHT, 0, "CONSISTENT")])
def test_a_check_with_a_person_who_wants_no_wall(tmp_path: Path, text: str, code: int, status: str) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text("import os\ndel os.fork\n")
    with home_with_model(tmp_path) as (home, _):
        home.env["PYTHONPATH"] = str(tmp_path / "site")
        home.settings('sandbox = "none"\n')
        home.write("a.py", text)
        ran = home.run("check", "a.py", *FAST)
    assert ran.code == code, ran.err
    [function] = ran.functions
    assert function["status"] == status
    assert function["spent"]["executions"] > 20
