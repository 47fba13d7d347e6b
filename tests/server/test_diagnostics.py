"""What is shown is what is known of exactly the text the client has now."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from editor import Editor, editing, full_capabilities

WRONG = 'def add(numbers, start):\n    """Adds them up. It says inconsistent."""\n    return 3\n'
HOLDS = WRONG.replace("It says", "It holds and says")


async def warned(editor: Editor, text: str = WRONG, **how: str) -> str:
    uri = editor.open(text, **how)
    editor.save(uri)
    await editor.warned(uri)
    return uri


async def test_the_version_goes_with_every_publish(tmp_path: Path) -> None:
    """lua-language-server#746."""
    async with editing(tmp_path) as editor:
        uri = await warned(editor)
        editor.replace(uri, "def add", "# a line above\ndef add")
        editor.replace(uri, "return 3", "return 4")
        await editor.warned(uri, 0)
        assert [params.version for params in editor.published] == [1, 2, 3]
        assert {params.uri for params in editor.published} == {uri}


async def test_it_moves_with_the_lines_above(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        uri = await warned(editor)
        editor.replace(uri, "def add", "x = '😀'\n\n\ndef add")
        await editor.until(lambda: editor.shown(uri)[0].range.start == types.Position(3, 4))
        assert len(editor.calls) == 1


async def test_an_edit_inside_clears_it_and_undo_brings_it_back(tmp_path: Path) -> None:
    """ty#818, neovim#16307, #14161."""
    async with editing(tmp_path) as editor:
        uri = await warned(editor)
        editor.replace(uri, "return 3", "return 4")
        await editor.warned(uri, 0)
        editor.replace(uri, "return 4", "return 3")
        await editor.warned(uri)
        assert editor.published[-1].version == 3
        assert len(editor.calls) == 1


async def test_an_edit_elsewhere_leaves_it(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        uri = await warned(editor, WRONG + "\n\nx = 1\n")
        editor.replace(uri, "x = 1", "x = 2")
        editor.save(uri)
        await editor.command("mpt.stop")
        assert len(editor.shown(uri)) == 1
        assert len(editor.published) == 1
        assert len(editor.calls) == 1


async def test_a_result_of_an_older_text_is_not_shown(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        uri = editor.open(HOLDS.replace("It holds", "It is stubborn"))
        editor.save(uri)
        await editor.until(lambda: editor.calls)
        editor.replace(uri, "return 3", "return 4")
        await editor.handled()
        editor.release()
        await editor.until(lambda: editor.lines("ended"))
        other = editor.open(WRONG, "other.py")
        editor.save(other)
        await editor.warned(other)
        assert editor.shown(uri) == []
        assert all(params.uri == other for params in editor.published)


async def test_closing_clears_it_and_opening_shows_it_without_a_run(tmp_path: Path) -> None:
    """sublimelsp/LSP#1925, ty#3010."""
    async with editing(tmp_path) as editor:
        uri = await warned(editor)
        editor.close(uri)
        await editor.warned(uri, 0)
        editor.open(WRONG)
        await editor.warned(uri)
    async with editing(tmp_path) as editor:
        uri = editor.open(WRONG)
        await editor.warned(uri)
    assert editor.calls == ["add"]


@pytest.mark.parametrize("gone", ["delete", "rename"])
async def test_a_deleted_or_renamed_file_shows_nothing(tmp_path: Path, gone: str) -> None:
    async with editing(tmp_path) as editor:
        uri = await warned(editor)
        if gone == "delete":
            files = types.DeleteFilesParams([types.FileDelete(uri)])
            editor.client.workspace_did_delete_files(files)
        else:
            renamed = types.RenameFilesParams([types.FileRename(uri, uri.replace("app", "new"))])
            editor.client.workspace_did_rename_files(renamed)
        await editor.warned(uri, 0)


@pytest.mark.parametrize(
    "uri", ["file:///c%3A/a%20b.py", "file:///C:/x.py", "file:///tmp/%C3%A9.py", "untitled:Untitled-1"]
)
async def test_the_uri_is_spelt_as_the_client_spelt_it(tmp_path: Path, uri: str) -> None:
    """marimo-lsp#441, esbonio#60."""
    async with editing(tmp_path) as editor:
        await warned(editor, uri=uri)
        assert {params.uri for params in editor.published} == {uri}


@pytest.mark.parametrize("encoding", list(types.PositionEncodingKind))
async def test_positions_in_every_encoding(tmp_path: Path, encoding: types.PositionEncodingKind) -> None:
    """pygls#302, ruff-lsp#358, python-lsp-server#343."""
    capabilities = full_capabilities()
    capabilities.general = types.GeneralClientCapabilities(position_encodings=[encoding])
    text = 's = "😀é"; t = 1\n\n\n' + WRONG.replace("def add", "def 𝔞dd")
    async with editing(tmp_path, capabilities=capabilities) as editor:
        uri = editor.open(text)
        editor.save(uri)
        [diagnostic] = await editor.warned(uri)
        size = {"utf-8": 4, "utf-16": 2, "utf-32": 1}[encoding.value]
        assert diagnostic.range == types.Range(types.Position(3, 4), types.Position(3, 4 + size + 2))
        start = {"utf-8": 11, "utf-16": 8, "utf-32": 7}[encoding.value]
        places = types.Range(types.Position(0, start), types.Position(0, start + 2))
        editor.change(uri, types.TextDocumentContentChangePartial(places, ";\n"))
        await editor.until(lambda: editor.shown(uri)[0].range.start == types.Position(4, 4))


async def test_the_example_it_contradicts_is_named(tmp_path: Path) -> None:
    example = "It contradicts and says inconsistent.\n\n    >>> add([1, 2], 0)\n    0\n    "
    text = WRONG.replace("It says inconsistent.", example)
    async with editing(tmp_path) as editor:
        uri = await warned(editor, text)
        [diagnostic] = editor.shown(uri)
        assert diagnostic.code == "mpt-example"
        assert diagnostic.related_information is not None
        lines = [related.location.range.start.line for related in diagnostic.related_information]
        assert lines == [1, 3]


async def test_inconclusive_is_no_diagnostic(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        uri = editor.open(WRONG.replace("inconsistent", "inconclusive"))
        editor.save(uri)
        await editor.until(lambda: editor.lines("ended"))
        await editor.until(lambda: any(ended_with(editor, "could not be judged")))
        assert editor.published == []


def ended_with(editor: Editor, text: str) -> list[bool]:
    reports = editor.client.progress_reports.values()
    return [
        text in (one.message or "") for said in reports for one in said if isinstance(one, types.WorkDoneProgressEnd)
    ]
