"""Nothing runs and nothing is sent before the person agreed to it."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from editor import Editor, editing

WRONG = 'def add(numbers, start):\n    """Adds them up. It says inconsistent."""\n    return 3\n'


async def saved(editor: Editor, name: str = "app.py") -> str:
    """Each file's function is its own: what is known of a text needs no check anywhere."""
    uri = editor.open(WRONG.replace("Adds", f"For {name}: adds") if name != "app.py" else WRONG, name)
    editor.save(uri)
    return uri


@pytest.mark.parametrize("answer", ["Not now", "Never here", None])
async def test_without_a_yes_nothing_runs(tmp_path: Path, answer: str | None) -> None:
    async with editing(tmp_path, answer=answer) as editor:
        uri = await saved(editor)
        await editor.until(lambda: editor.questions)
        await editor.command("mpt.revalidate", uri, "add")
        await editor.command("mpt.revalidateAll")
        assert len(editor.questions) == 1
    assert editor.calls == []
    assert editor.lines("open") == []


@pytest.mark.parametrize(("answer", "asked", "called"), [("Allow", 0, 1), ("Never here", 0, 0), ("Not now", 1, 0)])
async def test_what_is_remembered(tmp_path: Path, answer: str, asked: int, called: int) -> None:
    async with editing(tmp_path, answer=answer) as editor:
        await saved(editor)
        await editor.until(lambda: editor.questions)
        await editor.handled()
    async with editing(tmp_path, answer="Not now") as editor:
        uri = editor.open(WRONG.replace("add", "sum_up"), "other.py")
        await editor.command("mpt.revalidate", uri, "sum_up")
        assert len(editor.questions) == asked
        await editor.until(lambda: editor.calls.count("sum_up") == called)


async def test_each_root_is_asked_for(tmp_path: Path) -> None:
    roots = [tmp_path / "one", tmp_path / "two"]
    for root in roots:
        root.mkdir()
    async with editing(tmp_path, folders=roots) as editor:
        for name in ("one/a.py", "one/b.py", "two/a.py"):
            await editor.warned(await saved(editor, name))
        assert len(editor.questions) == 2
        for root in roots:
            assert sum(str(root) in question for question in editor.questions) == 1


async def test_a_folder_that_is_added_later_is_asked_for(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for root in (first, second):
        root.mkdir()
    async with editing(tmp_path, folders=[first]) as editor:
        await editor.warned(await saved(editor, "first/a.py"))
        added = types.WorkspaceFoldersChangeEvent([types.WorkspaceFolder(second.as_uri(), "second")], [])
        editor.client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(added))
        await editor.warned(await saved(editor, "second/a.py"))
        assert [str(root) in question for root, question in zip((first, second), editor.questions, strict=True)] == [
            True,
            True,
        ]


async def test_another_model_is_asked_about_anew(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        await editor.warned(await saved(editor))
    async with editing(tmp_path, configuration={"llm": "tiny@http://127.0.0.1:9/v1"}) as editor:
        await editor.warned(await saved(editor))
        [question] = editor.questions
        assert "tiny@http://127.0.0.1:9/v1" in question


@pytest.mark.parametrize(("trusted", "called"), [(True, ["add"]), (False, [])])
async def test_an_editor_that_knows_is_not_asked(tmp_path: Path, trusted: bool, called: list[str]) -> None:
    async with editing(tmp_path, options={"trusted": trusted}) as editor:
        uri = await saved(editor)
        await editor.command("mpt.revalidate", uri, "add")
        await editor.until(lambda: editor.calls == called)
        assert editor.questions == []


async def test_trust_given_later(tmp_path: Path) -> None:
    async with editing(tmp_path, options={"trusted": False}) as editor:
        uri = await saved(editor)
        await editor.command("mpt.trust", True)
        await editor.command("mpt.revalidate", uri, "add")
        await editor.warned(uri)


async def test_a_project_cannot_choose_what_runs_or_where_it_is_sent(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[tool.mpt]\nllm = "evil@http://127.0.0.1:9"\npython = "./evil"\nsandbox = "none"\npolicy = "majority"\n'
    )
    async with editing(tmp_path) as editor:
        await editor.warned(await saved(editor))
        [question] = editor.questions
        assert "evil" not in question
        assert "WITHOUT" not in question
        warned = [message.message for message in editor.client.messages]
        assert sum("cannot be set by a project" in message for message in warned) == 3
    [opened] = editor.lines("open")
    assert opened.startswith("embedded ")
    assert "evil" not in opened
