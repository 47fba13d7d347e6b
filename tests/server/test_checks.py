"""One check a function at a time: what supersedes it, what does not, and how it is stopped."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from editor import Editor, editing, full_capabilities

TEXT = '''def one(numbers, start):
    """Adds one. It holds and says inconsistent."""
    return 1


def two(numbers, start):
    """Adds two. It holds."""
    return 2


def three(numbers, start):
    """Adds three. It holds."""
    return 3
'''


async def checking(editor: Editor, text: str = TEXT, running: int = 2) -> str:
    uri = editor.open(text)
    editor.save(uri)
    await editor.until(lambda: len(editor.calls) == running)
    return uri


def said(editor: Editor) -> list[Any]:
    return [one for reports in editor.client.progress_reports.values() for one in reports]


def endings(editor: Editor) -> list[str]:
    return [one.message or "" for one in said(editor) if isinstance(one, types.WorkDoneProgressEnd)]


async def test_an_edit_elsewhere_neither_restarts_nor_ends_it(tmp_path: Path) -> None:
    """pylsp-mypy#106."""
    async with editing(tmp_path) as editor:
        uri = await checking(editor)
        for number in range(5):
            editor.replace(uri, "def three", f"# {number}\ndef three")
            editor.save(uri)
        await editor.command("mpt.revalidate", uri, "one")
        editor.release()
        await editor.warned(uri)
        await editor.until(lambda: len(editor.lines("ended")) == 3)
        assert sorted(editor.calls) == ["one", "three", "two"]


async def test_an_edit_inside_supersedes_it(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        uri = await checking(editor)
        editor.replace(uri, "return 1", "return 11")
        editor.save(uri)
        await editor.until(lambda: editor.calls.count("one") == 2)
        editor.release()
        await editor.warned(uri)
        await editor.until(lambda: len(editor.lines("ended")) == 3)
        assert sorted(editor.lines("ended")) == ["one", "three", "two"]
        assert editor.published[-1].version == 2


async def test_no_more_at_a_time_than_the_person_wants(tmp_path: Path) -> None:
    async with editing(tmp_path, configuration={"concurrentChecks": 1}) as editor:
        uri = await checking(editor, running=1)
        await editor.command("mpt.revalidateAll")
        await editor.handled()
        assert editor.calls == ["one"]
        editor.release()
        await editor.until(lambda: len(editor.lines("ended")) == 3)
        assert uri


async def test_the_function_under_the_cursor_is_next(tmp_path: Path) -> None:
    async with editing(tmp_path, configuration={"concurrentChecks": 1}) as editor:
        uri = await checking(editor, running=1)
        await editor.actions(uri, 12)
        editor.release()
        await editor.until(lambda: len(editor.lines("ended")) == 3)
        assert editor.calls == ["one", "three", "two"]


async def test_the_person_presses_cancel(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        await checking(editor)
        await editor.until(lambda: len([token for token, said in editor.client.progress_reports.items() if said]) == 2)
        tokens = list(editor.client.progress_reports)
        for token in tokens:
            editor.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token))
        await editor.until(lambda: endings(editor).count("stopped") == 2)
        await editor.until(lambda: "three" in editor.calls)
        assert editor.lines("ended") == []


async def test_the_command_stop_ends_all(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        await checking(editor)
        await editor.command("mpt.stop")
        await editor.until(lambda: endings(editor).count("stopped") == 2)
        assert sorted(editor.calls) == ["one", "two"]


async def test_closing_the_document_ends_its_checks(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        uri = await checking(editor)
        editor.close(uri)
        await editor.until(lambda: endings(editor).count("stopped") == 2)


async def test_progress_tells_phases_and_cost(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        await checking(editor)
        await editor.until(lambda: any("writing programs" in (one.message or "") for one in said(editor)))
        editor.release()
        await editor.until(lambda: len(endings(editor)) == 3)
        assert any("10 LLM calls" in ending for ending in endings(editor))
        begun = {one.title for one in said(editor) if isinstance(one, types.WorkDoneProgressBegin)}
        assert begun == {"mpt: one", "mpt: two", "mpt: three"}


async def test_a_client_without_progress(tmp_path: Path) -> None:
    capabilities = full_capabilities()
    capabilities.window = None
    async with editing(tmp_path, capabilities=capabilities) as editor:
        editor.release()
        uri = await checking(editor, running=3)
        await editor.warned(uri)
        assert editor.client.progress_reports == {}


async def test_what_our_side_cannot_do_is_said_once(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        uri = await checking(editor, TEXT.replace("holds", "raises"), running=3)
        await editor.until(lambda: any("no language model" in end for end in endings(editor)))
        editor.save(uri)
        await editor.until(lambda: len(editor.calls) == 6)
        await editor.handled()
        assert [message.message for message in editor.client.messages] == [
            "mpt: no language model: run `mpt llm pull`, or name one with --llm"
        ]
        assert editor.published == []


async def test_a_bug_of_ours_is_said_and_the_server_lives(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        uri = await checking(editor, TEXT.replace("two. It holds", "two. It breaks"), running=3)
        await editor.until(lambda: any("a bug" in message.message for message in editor.client.messages))
        editor.release()
        await editor.warned(uri)


async def test_a_cancelled_request_stops_what_serves_it(tmp_path: Path) -> None:
    """pygls#517, #621: the command waits for the person's answer when it is cancelled, and the answer comes later."""
    async with editing(tmp_path) as editor:
        answered = asyncio.Event()

        async def think(params: types.ShowMessageRequestParams) -> types.MessageActionItem:
            editor.questions.append(params.message)
            await answered.wait()
            return types.MessageActionItem("Allow")

        editor.client.protocol.fm.features[types.WINDOW_SHOW_MESSAGE_REQUEST] = think
        uri = editor.open(TEXT)
        params = types.ExecuteCommandParams("mpt.revalidate", [uri, "one"])
        asked = editor.client.protocol.send_request(types.WORKSPACE_EXECUTE_COMMAND, params, msg_id="command")
        await editor.until(lambda: editor.questions)
        editor.client.cancel_request(types.CancelParams("command"))
        with pytest.raises(JsonRpcException, match="cancel"):
            await asyncio.wrap_future(asked)
        answered.set()
        await editor.handled()
        await editor.command("mpt.stop")
        assert editor.calls == []
        assert not [one for one in editor.client.messages if "rror" in one.message]
