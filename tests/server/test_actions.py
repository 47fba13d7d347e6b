"""Code actions and the commands behind them, through the real server."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from editor import Editor, editing, full_capabilities

WRONG = 'def add(numbers, start):\n    """Adds them up. It says inconsistent."""\n    return 3\n'


async def warned(editor: Editor, text: str = WRONG) -> str:
    uri = editor.open(text)
    editor.save(uri)
    await editor.warned(uri)
    return uri


async def act(editor: Editor, uri: str, title: str, line: int = 0) -> None:
    [action] = [one for one in await editor.actions(uri, line, 5) if one.title.startswith(title)]
    assert action.command is not None
    assert list(action.diagnostics or ()) == editor.shown(uri)
    await editor.command(action.command.command, *(action.command.arguments or ()))


async def test_what_is_offered(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        uri = await warned(editor, WRONG + "\n\nx = 1\n\n\ndef g():\n    return 1\n")
        offered = [action.title for action in await editor.actions(uri, 1)]
        assert offered == [
            "Show disagreeing inputs",
            "Compare with a paraphrase program",
            "Replace by the majority program…",
            "Add the disagreeing input as an example…",
            "Add the disagreeing input as a pytest test…",
            "Accept as intended",
            "Ignore this function",
            "Re-validate function",
        ]
        assert await editor.actions(uri, 5) == []


async def test_actions_on_files_are_source_actions(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        uri = await warned(editor)
        here = types.Range(types.Position(0, 0), types.Position(0, 0))
        context = types.CodeActionContext([], only=[types.CodeActionKind.Source])
        params = types.CodeActionParams(types.TextDocumentIdentifier(uri), here, context)
        found = await editor.client.text_document_code_action_async(params)
        assert [one.title for one in found or ()] == ["Re-validate this file", "Re-validate all open files"]
        await editor.command("mpt.revalidateFile", uri)
        await editor.until(lambda: editor.calls == ["add", "add"])


async def test_compare(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        uri = await warned(editor)
        await act(editor, uri, "Compare")
        [shown] = editor.client.shown_documents
        text = Path(shown.uri.removeprefix("file://")).read_text(encoding="utf-8")
        assert "-    return 3" in text
        assert "+    return 0" in text


async def test_replace_by_the_majority_program_is_confirmed_and_versioned(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        uri = await warned(editor)
        await act(editor, uri, "Replace")
        assert editor.texts[uri] == WRONG.replace("return 3", "return 0")
        [edit] = editor.edits
        assert edit.edit.change_annotations is not None
        assert edit.edit.change_annotations["mpt"].needs_confirmation
        assert len(editor.questions) == 1  # the consent


async def test_replace_asks_where_the_editor_does_not(tmp_path: Path) -> None:
    capabilities = full_capabilities()
    assert capabilities.workspace is not None
    assert capabilities.workspace.workspace_edit is not None
    capabilities.workspace.workspace_edit.change_annotation_support = None
    async with editing(tmp_path, capabilities=capabilities) as editor:
        uri = await warned(editor)
        editor.answer = "Cancel"
        await act(editor, uri, "Replace")
        assert editor.edits == []
        editor.answer = "Replace"
        await act(editor, uri, "Replace")
        assert editor.texts[uri] == WRONG.replace("return 3", "return 0")


async def test_nothing_is_replaced_when_the_text_has_moved_on(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        uri = await warned(editor)

        def edit_while_asked(params: types.ShowMessageRequestParams) -> types.MessageActionItem:
            editor.replace(uri, "return 3", "return 4")
            return types.MessageActionItem("0")

        editor.client.protocol.fm.features[types.WINDOW_SHOW_MESSAGE_REQUEST] = edit_while_asked
        await act(editor, uri, "Add the disagreeing input as an example")
        assert editor.edits == []
        assert any("changed meanwhile" in message.message for message in editor.client.messages)
        assert editor.texts[uri] == WRONG.replace("return 3", "return 4")


@pytest.mark.parametrize(("answer", "said"), [("0", "0"), ("3", "3"), (None, None)])
async def test_the_person_says_what_the_example_gives(tmp_path: Path, answer: str | None, said: str | None) -> None:
    async with editing(tmp_path) as editor:
        uri = await warned(editor)
        editor.answer = answer
        await act(editor, uri, "Add the disagreeing input as an example")
        assert "add([1, 2], 0)" in editor.questions[-1]
        docstring = str(ast.get_docstring(ast.parse(editor.texts[uri]).body[0]))  # type: ignore[arg-type]
        assert docstring.endswith(f">>> add([1, 2], 0)\n{said}" if said else "inconsistent.")


async def test_a_pytest_test(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        uri = await warned(editor)
        editor.answer = "0"
        await act(editor, uri, "Add the disagreeing input as a pytest test")
        changes: list[Any] = list(editor.edits[0].edit.document_changes or ())
        assert changes[0].uri == (tmp_path / "tests" / "test_app.py").as_uri()
        text = changes[1].edits[0].new_text
        assert "from app import add" in text
        assert "assert add([1, 2], 0) == 0" in text


async def test_the_docstring_says_it(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        uri = await warned(editor, WRONG.replace("inconsistent", "ambiguous"))
        assert editor.shown(uri)[0].code == "mpt-ambiguous"
        editor.answer = "0"
        await act(editor, uri, "Make the docstring say it")
        assert "For example, add([1, 2], 0) gives 0." in editor.texts[uri]


async def test_accepted_is_remembered_for_this_text(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        uri = await warned(editor)
        await act(editor, uri, "Accept")
        await editor.warned(uri, 0)
    async with editing(tmp_path) as editor:
        uri = editor.open(WRONG)
        editor.save(uri)
        await editor.command("mpt.stop")
        params = types.CodeLensParams(types.TextDocumentIdentifier(uri))
        await editor.command("mpt.showDisagreements", uri, "add")
        [lens] = await editor.client.text_document_code_lens_async(params) or []
        assert lens.command is not None
        assert "accepted as intended" in lens.command.title
        assert editor.shown(uri) == []
        assert editor.calls == ["add"]
        editor.replace(uri, "return 3", "return 30")
        editor.save(uri)
        await editor.warned(uri)


async def test_ignore_writes_the_comment(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        uri = await warned(editor, "import math\n\n\n" + WRONG)
        await act(editor, uri, "Ignore", line=3)
        assert "\n# mpt: ignore\ndef add" in editor.texts[uri]
        await editor.warned(uri, 0)


async def test_a_folder_whose_name_reads_like_a_uri(tmp_path: Path) -> None:
    folder = tmp_path / "a%41"
    folder.mkdir()
    async with editing(folder) as editor:
        uri = await warned(editor)
        editor.answer = "0"
        await act(editor, uri, "Add the disagreeing input as an example")
        assert ">>> add([1, 2], 0)" in editor.texts[uri]


async def test_a_report_that_the_editor_fetches(tmp_path: Path) -> None:
    capabilities = full_capabilities()
    assert capabilities.workspace is not None
    capabilities.workspace.text_document_content = types.TextDocumentContentClientCapabilities()
    async with editing(tmp_path, capabilities=capabilities) as editor:
        uri = await warned(editor)
        await act(editor, uri, "Show")
        [shown] = editor.client.shown_documents
        params = types.TextDocumentContentParams(shown.uri)
        content = await editor.client.workspace_text_document_content_async(params)
        assert "Paraphrase program 5" in content.text
        assert content.text.count("printed, on all inputs together:\n\n```text\nadding\n```") == 1
        nothing = await editor.client.workspace_text_document_content_async(types.TextDocumentContentParams("mpt:/x"))
        assert nothing.text == ""


async def test_the_two_sides_of_a_difference_can_be_fetched(tmp_path: Path) -> None:
    capabilities = full_capabilities()
    assert capabilities.workspace is not None
    capabilities.workspace.text_document_content = types.TextDocumentContentClientCapabilities()
    async with editing(tmp_path, capabilities=capabilities) as editor:
        uri = await warned(editor)
        await act(editor, uri, "Compare")
        [shown] = editor.client.shown_documents
        base = shown.uri.removesuffix(".diff")
        sides = [types.TextDocumentContentParams(f"{base}.{side}.py") for side in ("mine", "theirs")]
        mine, theirs = [await editor.client.workspace_text_document_content_async(side) for side in sides]
        assert mine.text == WRONG
        assert theirs.text.endswith("    return 0\n")


async def test_what_was_spent_today_is_told(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        spent = await editor.client.protocol.send_request_async("mpt/spentToday", None)
        assert (spent.calls, spent.tokens) == (0, 0)


async def test_an_editor_that_lets_nobody_edit(tmp_path: Path) -> None:
    capabilities = full_capabilities()
    capabilities.workspace = types.WorkspaceClientCapabilities(configuration=True)
    async with editing(tmp_path, capabilities=capabilities) as editor:
        uri = await warned(editor)
        await act(editor, uri, "Ignore")
        assert any("lets no server edit" in message.message for message in editor.client.messages)
