"""Who may set what, later over earlier; and what an editor does with settings while the server runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from editor import Editor, editing, full_capabilities
from mpt.settings import Settings
from mpt_server.settings import effective, section_of

WRONG = 'def add(numbers, start):\n    """Adds them up. It says inconsistent."""\n    return 3\n'


def test_the_section_is_over_the_options_is_over_the_project_is_over_the_base(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.mpt]\ninputs = 2\nparaphrases = 2\npolicy = 'majority'\n")
    base = Settings(inputs=1, paraphrases=1, policy="conservative", sensitivity="quiet")
    options = {"inputs": 3, "paraphrases": 3}
    found = effective(base, options, {"inputs": 4}, tmp_path / "a.py")
    chosen = found.settings
    assert (chosen.inputs, chosen.paraphrases, chosen.policy, chosen.sensitivity) == (4, 3, "majority", "quiet")
    assert found.warnings == ()


def test_the_nearest_project_counts(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.mpt]\ninputs = 2\n")
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "pyproject.toml").write_text("[tool.mpt]\ninputs = 7\n")
    assert effective(Settings(), None, None, inner / "a.py").settings.inputs == 7
    assert effective(Settings(), None, None, tmp_path / "a.py").settings.inputs == 2


@pytest.mark.parametrize(
    ("told", "ours"),
    [
        ({"mpt": {"inputs": 3}}, {"inputs": 3}),
        ({"mpt": {"inputs": 3}, "python": {}}, {"inputs": 3}),
        ({"mpt": None}, None),
        ({"inputs": 3}, {"inputs": 3}),
        ({"python": {}, "editor": {"tabSize": 4}}, None),
        ({}, None),
        (None, None),
        (3, 3),
    ],
)
def test_our_part_of_what_an_editor_tells(told: object, ours: object) -> None:
    assert section_of(told) == ours


@pytest.mark.parametrize(
    "wrong", [{"concurrentChecks": 65}, {"nice": 20}, {"idleS": 0}, {"checkOn": "idel"}, {"idleS": "1"}]
)
def test_what_is_out_of_range_is_said_and_left_out(wrong: dict[str, Any]) -> None:
    found = effective(Settings(), None, wrong, None)
    assert len(found.warnings) == 1
    assert found.server == effective(Settings(), None, None, None).server


async def hints(editor: Editor, uri: str) -> list[str]:
    lines = types.Range(types.Position(0, 0), types.Position(99, 0))
    params = types.InlayHintParams(types.TextDocumentIdentifier(uri), lines)
    return [str(hint.label) for hint in await editor.client.text_document_inlay_hint_async(params) or []]


@pytest.mark.parametrize("told", [{"mpt": {"inlayHints": True}}, {"inlayHints": True}])
async def test_an_editor_that_tells_and_is_not_asked(tmp_path: Path, told: dict[str, Any]) -> None:
    capabilities = full_capabilities()
    assert capabilities.workspace is not None
    capabilities.workspace.configuration = None
    options = {"policy": "majority", "trusted": True}
    async with editing(tmp_path, capabilities=capabilities, options=options) as editor:
        uri = editor.open(WRONG)
        editor.save(uri)
        await editor.warned(uri)
        assert await hints(editor, uri) == []
        editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=told))
        while not await hints(editor, uri):
            await editor.handled()
        assert len(editor.shown(uri)) == 1  # the policy of initialize still holds: its verdict is still known
        assert list(editor.client.messages) == []


async def test_checked_when_left_alone(tmp_path: Path) -> None:
    async with editing(tmp_path, configuration={"checkOn": "idle", "idleS": 0.1}) as editor:
        uri = editor.open(WRONG.replace("return 3", "return 4"))
        await editor.handled()
        assert editor.questions == []  # opening runs nothing
        await editor.command("mpt.accept", uri, "add")  # by now its settings are known
        editor.replace(uri, "return 4", "return 3")
        await editor.warned(uri)
        assert editor.calls == ["add"]


async def test_a_document_that_is_closed_is_not_checked_later(tmp_path: Path) -> None:
    async with editing(tmp_path, configuration={"checkOn": "idle", "idleS": 0.1}) as editor:
        uri, other = editor.open(WRONG), editor.open(WRONG.replace("add", "sum_up"), "other.py")
        await editor.command("mpt.accept", uri, "add")
        await editor.command("mpt.accept", other, "sum_up")
        editor.replace(uri, "return 3", "return 4")
        editor.close(uri)
        editor.replace(other, "return 3", "return 4")
        await editor.warned(other)
        assert editor.calls == ["sum_up"]
