"""The main path over stdio: open, consent, save, diagnostic with its inputs, code action, edit."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types

from editor import editing

WRONG = '''import math


def add(numbers, start):
    """Adds them up. It says inconsistent."""
    return 3
'''


async def test_open_consent_save_diagnostic_action_edit(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        uri = editor.open(WRONG)
        editor.save(uri)
        [diagnostic] = await editor.warned(uri)
        assert len(editor.questions) == 1
        assert "docstring" in editor.questions[0]
        assert "embedded" in editor.questions[0]
        assert diagnostic.message == "`add([1, 2], 0)` returns 3; 4 of 5 paraphrase programs return 0"
        assert (diagnostic.range.start.line, diagnostic.range.start.character) == (3, 4)
        assert diagnostic.range.end.character == 7
        assert diagnostic.code == "mpt-inconsistent"
        assert diagnostic.severity == types.DiagnosticSeverity.Warning

        titles = {action.title: action for action in await editor.actions(uri, 3, 5)}
        assert {"Re-validate function", "Show disagreeing inputs"} <= set(titles)
        command = titles["Show disagreeing inputs"].command
        assert command is not None
        await editor.command(command.command, *(command.arguments or ()))
        [shown] = editor.client.shown_documents
        report = Path(shown.uri.removeprefix("file://")).read_text(encoding="utf-8")
        assert "add([1, 2, 3], 0)" in report

        version = editor.replace(uri, "return 3", "return 4")
        await editor.warned(uri, 0)
        assert editor.published[-1].version == version
        assert editor.calls == ["add"]
