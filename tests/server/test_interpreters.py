"""Each project's code runs on its own Python."""

from __future__ import annotations

import base64
import hashlib
import os
from pathlib import Path

import pytest

from editor import editing
from mpt_server.interpreters import interpreter_of

TEXT = 'def add(numbers, start):\n    """Adds them up, in {}."""\n    return 3\n'


def python_in(folder: Path) -> Path:
    path = folder / "bin" / "python"
    path.parent.mkdir(parents=True)
    path.touch(mode=0o755)
    return path


@pytest.mark.parametrize("name", [".venv", "venv", ".conda"])
def test_in_the_project(tmp_path: Path, name: str) -> None:
    found = python_in(tmp_path / name)
    assert interpreter_of(tmp_path / "src" / "deep", tmp_path, {"PATH": ""}) == str(found)


def test_the_nearest_one_and_none_above_the_root(tmp_path: Path) -> None:
    python_in(tmp_path / ".venv")
    root = tmp_path / "root"
    assert interpreter_of(root / "a", root, {"PATH": ""}) == ""
    outer, inner = python_in(root / ".venv"), python_in(root / "a" / ".venv")
    assert interpreter_of(root / "a", root, {"PATH": ""}) == str(inner)
    assert interpreter_of(root / "b", root, {"PATH": ""}) == str(outer)


def test_poetrys_own_folder(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.poetry]\nname = "My App"\n')
    digest = hashlib.sha256(os.path.realpath(tmp_path).encode()).digest()
    mark = base64.urlsafe_b64encode(digest).decode()[:8]
    found = python_in(tmp_path / "cache" / "virtualenvs" / f"my_app-{mark}-py3.11")
    environment = {"PATH": "", "POETRY_CACHE_DIR": str(tmp_path / "cache")}
    assert interpreter_of(tmp_path, tmp_path, environment) == str(found)


@pytest.mark.parametrize("variable", ["VIRTUAL_ENV", "CONDA_PREFIX"])
def test_the_active_one(tmp_path: Path, variable: str) -> None:
    found = python_in(tmp_path / "env")
    project = tmp_path / "project"
    assert interpreter_of(project, project, {"PATH": "", variable: str(tmp_path / "env")}) == str(found)


def test_path_comes_last(tmp_path: Path) -> None:
    (tmp_path / "python3").touch(mode=0o755)
    project = tmp_path / "project"
    assert interpreter_of(project, project, {"PATH": str(tmp_path)}) == str(tmp_path / "python3")


@pytest.mark.parametrize("text", ["[tool.poetry]\nname = 3", "[", "[tool]\npoetry = 3", "[tool.poetry]\n"])
def test_a_strange_pyproject(tmp_path: Path, text: str) -> None:
    (tmp_path / "pyproject.toml").write_text(text)
    assert interpreter_of(tmp_path, tmp_path, {"PATH": ""}) == ""


async def test_two_roots_two_interpreters(tmp_path: Path) -> None:
    """vscode-python#690: the first root's interpreter was used for all."""
    roots = [tmp_path / "one", tmp_path / "two"]
    pythons = [python_in(root / ".venv") for root in roots]
    async with editing(tmp_path, folders=roots) as editor:
        for root in ("one", "two"):
            editor.save(editor.open(TEXT.format(root), f"{root}/a.py"))
        await editor.until(lambda: len(editor.lines("ended")) == 2)
        for python in pythons:
            assert sum(str(python) in question for question in editor.questions) == 1
    assert sorted(editor.lines("open")) == [f"embedded {python}" for python in pythons]


def test_a_shim_on_the_path_is_no_interpreter(tmp_path: Path) -> None:
    shim = tmp_path / "python3"
    shim.write_text('#!/bin/sh\nexec pyenv exec python3 "$@"\n')
    shim.chmod(0o755)
    assert interpreter_of(tmp_path, tmp_path, {"PATH": str(tmp_path)}) == ""
