"""The server's libraries and those of the person's project know nothing of each other (vscode-pylint#626)."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

import pytest

from command_line import home_with_model
from editor import editing

NAMES = ("json", "asyncio", "attr", "cattrs", "lsprotocol", "pygls", "tree_sitter", "openai", "mpt", "mpt_server")
OPTIONS = {"trusted": True, "select": "documented", "fuzzer": "loop"}
WHOSE = '''import {name}


def whose(x: int) -> str:
    """Return the name of whoever wrote the library, for any x.

    >>> whose(1)
    'mine'
    """
    return {name}.AUTHOR
'''
PROGRAM = "```python\ndef whose(x):\n    return 'mine'\n```"


async def test_modules_of_the_project_are_not_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = tmp_path / "ran"
    with home_with_model(tmp_path) as (home, _):
        for name in NAMES:
            home.write(f"{name}.py", f"open({str(ran)!r}, 'w').close()\nraise ImportError('not for the server')\n")
        for name, value in home.environment.items():
            monkeypatch.setenv(name, value)
        monkeypatch.chdir(home.project)
        server = [str(Path(sys.executable).parent / "mpt-server"), "--stdio"]
        async with editing(home.project, options=OPTIONS, command=server) as editor:
            uri = editor.open("def f(a):\n    return a\n")
            editor.save(uri)
            await editor.handled()
        assert not ran.exists()


@pytest.mark.parametrize("name", ["lsprotocol", "mpt"])
async def test_a_program_has_its_environments_libraries_not_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    from command_line import scripted

    with home_with_model(tmp_path, scripted(program=PROGRAM, paraphrase="Say who wrote the library.")) as (home, _):
        venv.create(home.project / ".venv", symlinks=True)
        python = home.project / ".venv" / "bin" / "python"
        asked = [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
        packages = Path(subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip())
        (packages / f"{name}.py").write_text("AUTHOR = 'theirs'\n")
        for variable, value in home.environment.items():
            if variable != "PATH":
                monkeypatch.setenv(variable, value)
        server = [sys.executable, "-m", "mpt_server"]
        async with editing(home.project, options=OPTIONS, command=server) as editor:
            uri = editor.open(WHOSE.format(name=name))
            editor.save(uri)
            [warning] = await editor.warned(uri)
            assert "returns 'theirs'; 5 of 5 paraphrase programs return 'mine'" in warning.message
