"""Notebooks: a cell's functions are found, checked and warned of in the cell's own lines."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from editor import Editor, editing, place
from mpt_server.documents import Document
from mpt_server.notebooks import Notebook, module

WRONG = 'def add(numbers, start):\n    """Adds them up. It says inconsistent."""\n    return 3\n'
IMPORTS = "%matplotlib inline\nimport math"
LAST = WRONG.replace("add", "last")


class Cells:
    """A notebook in an editor."""

    def __init__(self, editor: Editor, *texts: str) -> None:
        self.editor = editor
        self.path = editor.folder / "work" / "book one.ipynb"
        self.uri = self.path.as_uri()
        self.uris = [self._uri(number) for number in range(len(texts))]
        cells = [types.NotebookCell(types.NotebookCellKind.Code, uri) for uri in self.uris]
        notebook = types.NotebookDocument(self.uri, "jupyter-notebook", 1, cells)
        items = [self.item(uri, text) for uri, text in zip(self.uris, texts, strict=True)]
        editor.client.notebook_document_did_open(types.DidOpenNotebookDocumentParams(notebook, items))

    def _uri(self, number: int) -> str:
        return self.uri.replace("file:", "vscode-notebook-cell:") + f"#W{number}sZmlsZQ%3D%3D"

    def item(self, uri: str, text: str) -> types.TextDocumentItem:
        self.editor.versions[uri], self.editor.texts[uri] = 1, text
        return types.TextDocumentItem(uri, "python", 1, text)

    def save(self) -> None:
        named = types.NotebookDocumentIdentifier(self.uri)
        self.editor.client.notebook_document_did_save(types.DidSaveNotebookDocumentParams(named))

    def close(self) -> None:
        named = types.NotebookDocumentIdentifier(self.uri)
        cells = [types.TextDocumentIdentifier(uri) for uri in self.uris]
        self.editor.client.notebook_document_did_close(types.DidCloseNotebookDocumentParams(named, cells))

    def change(self, cells: types.NotebookDocumentCellChanges) -> None:
        named = types.VersionedNotebookDocumentIdentifier(2, self.uri)
        change = types.NotebookDocumentChangeEvent(cells=cells)
        self.editor.client.notebook_document_did_change(types.DidChangeNotebookDocumentParams(named, change))

    def replace(self, number: int, old: str, new: str) -> None:
        """An edit in a cell."""
        uri, text = self.uris[number], self.editor.texts[self.uris[number]]
        start, end = (place(text, at) for at in (text.index(old), text.index(old) + len(old)))
        self.editor.texts[uri] = text.replace(old, new, 1)
        self.editor.versions[uri] += 1
        change = types.TextDocumentContentChangePartial(types.Range(start, end), new)
        named = types.VersionedTextDocumentIdentifier(self.editor.versions[uri], uri)
        content = types.NotebookDocumentCellContentChanges(named, [change])
        self.change(types.NotebookDocumentCellChanges(text_content=[content]))

    def insert(self, at: int, text: str) -> str:
        uri = self._uri(len(self.uris) + 10)
        cell = types.NotebookCell(types.NotebookCellKind.Code, uri)
        array = types.NotebookCellArrayChange(at, 0, [cell])
        structure = types.NotebookDocumentCellChangeStructure(array, did_open=[self.item(uri, text)])
        self.uris.insert(at, uri)
        self.change(types.NotebookDocumentCellChanges(structure))
        return uri

    def remove(self, at: int) -> None:
        uri = self.uris.pop(at)
        array = types.NotebookCellArrayChange(at, 1)
        structure = types.NotebookDocumentCellChangeStructure(array, did_close=[types.TextDocumentIdentifier(uri)])
        self.change(types.NotebookDocumentCellChanges(structure))


async def test_a_cell_is_checked_on_save_and_warned_of_in_its_own_lines(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        book = Cells(editor, IMPORTS, "x = 1\n\n" + WRONG, "add([1], 0)")
        book.save()
        [diagnostic] = await editor.warned(book.uris[1])
        assert diagnostic.range == types.Range(types.Position(2, 4), types.Position(2, 7))
        assert {params.uri for params in editor.published} == {book.uris[1]}
        params = types.HoverParams(types.TextDocumentIdentifier(book.uris[1]), types.Position(2, 5))
        hover = await editor.client.text_document_hover_async(params)
        assert "disagrees on 2 inputs" in str(hover)
        assert str(tmp_path) in editor.questions[0]


async def test_edits_move_and_clear_it_and_carry_the_cells_version(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        book = Cells(editor, IMPORTS, WRONG)
        book.save()
        await editor.warned(book.uris[1])
        book.replace(1, "", "# above\n")
        await editor.until(lambda: editor.shown(book.uris[1])[0].range.start.line == 1)
        book.replace(0, "import math", "import math\nimport re\nx = 2")
        book.replace(1, "return 3", "return 4")
        await editor.warned(book.uris[1], 0)
        assert editor.published[-1].version == 3
        assert editor.calls == ["add"]


async def test_what_a_cell_above_defines_counts(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        book = Cells(editor, "import math", WRONG)
        book.save()
        await editor.warned(book.uris[1])
        book.replace(0, "math", "re")
        await editor.warned(book.uris[1], 0)
        book.replace(0, "re", "math")
        await editor.warned(book.uris[1])
        assert editor.calls == ["add"]


async def test_cells_come_and_go(tmp_path: Path) -> None:
    async with editing(tmp_path, configuration={"select": "assistant"}) as editor:
        book = Cells(editor, IMPORTS, WRONG)
        uri = book.insert(1, LAST)  # an assistant's: it arrives whole, where the other was there before
        book.save()
        await editor.warned(uri)
        assert editor.calls == ["last"]
        book.remove(1)
        await editor.warned(uri, 0)


async def test_closing_clears_all_cells(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        book = Cells(editor, WRONG, LAST)
        book.save()
        for uri in book.uris:
            await editor.warned(uri)
        book.close()
        for uri in book.uris:
            await editor.warned(uri, 0)


async def test_a_deleted_notebook_shows_nothing(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        book = Cells(editor, WRONG)
        book.save()
        await editor.warned(book.uris[0])
        editor.client.workspace_did_delete_files(types.DeleteFilesParams([types.FileDelete(book.uri)]))
        await editor.warned(book.uris[0], 0)


async def test_its_settings_are_those_of_the_notebooks_folder(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "pyproject.toml").write_text('[tool.mpt]\nselect = "marked"\n')
    async with editing(tmp_path) as editor:
        book = Cells(editor, WRONG, "# mpt: check\n" + LAST)
        book.save()
        await editor.warned(book.uris[1])
        assert editor.calls == ["last"]


async def test_all_cells_by_the_notebooks_uri(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        book = Cells(editor, WRONG, LAST)
        await editor.command("mpt.revalidateFile", book.uri)
        for uri in book.uris:
            await editor.warned(uri)


async def test_an_edit_of_a_cell_and_a_test_that_cannot_be_written(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        book = Cells(editor, IMPORTS, WRONG)
        book.save()
        await editor.warned(book.uris[1])
        await editor.command("mpt.addTest", book.uris[1], "add")
        await editor.command("mpt.ignore", book.uris[1], "add")
        assert editor.texts[book.uris[1]] == "# mpt: ignore\n" + WRONG
        assert [message.message for message in editor.client.messages] == [
            "mpt: only a function in a file of its own can be tested by another"
        ]


@pytest.mark.parametrize("method", ["change", "save", "close"])
async def test_a_notebook_that_is_not_open(tmp_path: Path, method: str) -> None:
    async with editing(tmp_path) as editor:
        book = Cells(editor, WRONG)
        book.close()
        if method == "change":
            book.remove(0)
        else:
            getattr(book, method)()
        await editor.handled()
        assert list(editor.client.messages) == []


# --- its cells, alone ------------------------------------------------------------------------------


def cell(name: str, kind: types.NotebookCellKind = types.NotebookCellKind.Code) -> types.NotebookCell:
    return types.NotebookCell(kind, name)


def test_cells_in_their_order() -> None:
    notebook = Notebook("file:///a.ipynb", ["a", "b", "c"])
    notebook.splice(types.NotebookCellArrayChange(1, 1, [cell("d"), cell("e", types.NotebookCellKind.Markup)]))
    assert notebook.cells == ["a", "d", "", "c"]
    assert notebook.above("c") == ["a", "d", ""]
    assert notebook.from_on("d") == ["d", "", "c"]
    assert notebook.above("b") == notebook.from_on("b") == []
    notebook.splice(types.NotebookCellArrayChange(9, 9))
    assert notebook.cells == ["a", "d", "", "c"]


@pytest.mark.parametrize(
    ("texts", "lines"),
    [
        (["import a", "b = 1\n"], ("import a\n", "b = 1\n", "\n")),
        (["!pip install a\n%load b\nc = 1"], ("#!pip install a\n", "#%load b\n", "c = 1\n")),
        (["%%bash\nls", "a = 1"], ("a = 1\n",)),
        (["\n%%time\na = 1"], ("\n", "#%%time\n", "a = 1\n")),
        (["a = 1\r\nb = 2"], ("a = 1\n", "b = 2\n")),
        ([""], ("\n",)),
        ([], ()),
    ],
)
def test_what_stands_above(texts: list[str], lines: tuple[str, ...]) -> None:
    assert module(Document("cell:a", 1, text).lines for text in texts) == lines
