"""The project itself: what its README promises, what its wheel holds, and that PyPI's `mpt` stays out of it."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

INSTALLS_MPT = re.compile(
    r"\b(?:pip[x3]?|uvx?|poetry|pdm|conda)\b(?: +(?:install|add|run|tool|-\S+))* +[\"']?mpt(?![\w.-])"
)
"""A command that would bring in PyPI's distribution `mpt`, somebody else's."""


def _tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True).stdout
    return [ROOT / name for name in listed.split("\0") if name]


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""


def _required() -> list[Requirement]:
    project = PYPROJECT["project"]
    groups = [
        project["dependencies"],
        *project["optional-dependencies"].values(),
        *PYPROJECT["dependency-groups"].values(),
    ]
    return [Requirement(line) for group in groups for line in group]


def test_the_commands_that_texts_name_are_in_the_makefile() -> None:
    targets = set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))
    pages = [ROOT / "tests/README.md", ROOT / ".ci/run", *(ROOT / "docs").glob("*.md")]
    texts = README + "".join(map(_text, pages))
    named = set(re.findall(r"(?:^|`|\" )make ([a-z-]+)", texts, re.MULTILINE))
    assert {"demo", "test"} <= named <= targets


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel as it would be published."""
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


def test_the_wheel_holds_mpt_and_mpt_server_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as files:
        names = files.namelist()
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {"mpt", "mpt_server"}
    assert {"mpt/cli/__init__.py", "mpt/worker/codec.py", "mpt_server/__main__.py"} <= set(names)


def test_the_distribution_is_not_called_mpt(wheel: Path) -> None:
    assert wheel.name.startswith("metamorphic_prompt_testing-")


@pytest.mark.parametrize(
    ("command", "installs"),
    [
        ("pip install mpt", True),
        ("python -m pip install --upgrade 'mpt'", True),
        ("uvx mpt check", True),
        ("uv tool install mpt", True),
        ("pip install metamorphic-prompt-testing", False),
        ("uv run mpt-server", False),
        ("pip install mpt.whl", False),
    ],
)
def test_what_would_install_the_other_mpt_is_recognised(command: str, installs: bool) -> None:
    assert bool(INSTALLS_MPT.search(command)) is installs


def test_nothing_installs_the_other_mpt() -> None:
    texts = {path: _text(path) for path in _tracked() if path != Path(__file__).resolve()}
    assert [path for path, text in texts.items() if INSTALLS_MPT.search(text)] == []
    assert "mpt" not in {requirement.name for requirement in _required()}
    assert not re.search(r"^mpt==", LOCK, re.MULTILINE)


def test_the_lock_has_all_that_is_required_with_hashes_and_names_no_host() -> None:
    entries = re.findall(r"^([a-z0-9-]+)==\S+.*\\\n +--hash=sha256:", LOCK, re.MULTILINE)
    assert len(entries) == len(re.findall(r"^[^ #]", LOCK, re.MULTILINE))
    assert {canonicalize_name(requirement.name) for requirement in _required()} <= set(entries)
    assert "://" not in LOCK
