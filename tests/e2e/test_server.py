"""The editor's way, nothing scripted but the model: real server over stdio, real pipeline, fuzzer and sandbox."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from lsprotocol import types

from command_line import FAST, RIGHT, WRONG, Home, home_with_model
from editor import editing

SERVER = [sys.executable, "-m", "mpt_server"]
OPTIONS = {"select": "documented", "fuzzer": "loop"}


def _at_home(home: Home, patch: pytest.MonkeyPatch) -> None:
    """The server is a child of the test: it has this person's home."""
    for name, value in home.environment.items():
        if name != "PATH":
            patch.setenv(name, value)


async def test_open_consent_save_warning_actions_edit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with home_with_model(tmp_path) as (home, model):
        _at_home(home, monkeypatch)
        async with editing(home.project, options=OPTIONS, command=SERVER) as editor:
            uri = editor.open("# 🎉\n\n\n" + WRONG)
            assert model.asked == []  # opening runs and sends nothing
            editor.save(uri)
            [warning] = await editor.warned(uri)
            assert "docstring" in editor.questions[0]
            assert re.fullmatch(
                r"`double\(-?\d+\)` returns -?\d+; 5 of 5 paraphrase programs return -?\d+", warning.message
            )
            assert (warning.range.start.line, warning.range.start.character) == (3, 4)
            assert warning.severity == types.DiagnosticSeverity.Warning
            assert len(model.asked) == 10

            titles = {action.title: action for action in await editor.actions(uri, 3, 5)}
            command = titles["Show disagreeing inputs"].command
            assert command is not None
            await editor.command(command.command, *(command.arguments or ()))
            await editor.until(lambda: editor.client.shown_documents)

            editor.replace(uri, "return x * x", "return 2 * x")
            await editor.warned(uri, 0)
            editor.save(uri)
            await editor.handled()
        assert len(model.asked) == 10  # another body costs no call


async def test_the_same_from_a_recording_with_no_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with home_with_model(tmp_path) as (home, _):
        home.write("app.py", WRONG)
        recorded = home.run("check", "app.py", *FAST, "--record", "rec")
    assert recorded.code == 1
    alone = Home(tmp_path)
    _at_home(alone, monkeypatch)
    monkeypatch.delenv("MPT_LLM", raising=False)
    command = [*SERVER, "--replay", str(alone.project / "rec")]
    async with editing(alone.project, options=OPTIONS, command=command) as editor:
        uri = editor.open(WRONG)
        editor.save(uri)
        [warning] = await editor.warned(uri)
        assert warning.message.startswith("`double(")


async def test_no_consent_runs_and_sends_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with home_with_model(tmp_path) as (home, model):
        _at_home(home, monkeypatch)
        async with editing(home.project, options=OPTIONS, command=SERVER, answer=None) as editor:
            uri = editor.open(RIGHT)
            editor.save(uri)
            await editor.until(lambda: editor.questions)
            await editor.handled()
        assert model.asked == []
