"""Hover, code lenses, inlay hints, pulled diagnostics."""

from __future__ import annotations

import re
from pathlib import Path

from lsprotocol import types

from editor import Editor, editing, full_capabilities

WRONG = 'def add(numbers, start):\n    """Adds them up. It says inconsistent."""\n    return 3\n'
RIGHT = 'def sub(numbers, start):\n    """Subtracts them all."""\n    return 3\n'


async def lenses(editor: Editor, uri: str) -> list[types.CodeLens]:
    params = types.CodeLensParams(types.TextDocumentIdentifier(uri))
    return list(await editor.client.text_document_code_lens_async(params) or [])


async def hints(editor: Editor, uri: str) -> list[types.InlayHint]:
    lines = types.Range(types.Position(0, 0), types.Position(99, 0))
    params = types.InlayHintParams(types.TextDocumentIdentifier(uri), lines)
    return list(await editor.client.text_document_inlay_hint_async(params) or [])


async def hover(editor: Editor, uri: str, line: int, character: int) -> types.Hover | None:
    params = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(line, character))
    return await editor.client.text_document_hover_async(params)


async def checked(editor: Editor, text: str = f"{WRONG}\n\n{RIGHT}") -> str:
    uri = editor.open(text)
    editor.save(uri)
    await editor.until(lambda: len(editor.lines("ended")) == 2)
    await editor.warned(uri)
    return uri


async def test_hover_has_the_disagreeing_inputs(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        uri = await checked(editor)
        found = await hover(editor, uri, 0, 5)
        assert found is not None
        assert isinstance(found.contents, types.MarkupContent)
        assert found.contents.kind == types.MarkupKind.Markdown
        assert "add([1, 2, 3], 0)" in found.contents.value
        assert "0 ×4" in found.contents.value
        assert found.range == types.Range(types.Position(0, 4), types.Position(0, 7))
        assert await hover(editor, uri, 2, 5) is None
        consistent = await hover(editor, uri, 5, 5)
        assert "consistent with 5 of 5" in str(consistent)


async def test_hover_for_a_client_that_knows_no_markdown(tmp_path: Path) -> None:
    capabilities = full_capabilities()
    assert capabilities.text_document is not None
    capabilities.text_document.hover = None
    async with editing(tmp_path, capabilities=capabilities) as editor:
        uri = await checked(editor)
        found = await hover(editor, uri, 0, 5)
        assert found is not None
        assert isinstance(found.contents, types.MarkupContent)
        assert found.contents.kind == types.MarkupKind.PlainText
        assert "```" not in found.contents.value


async def test_lenses_above_what_was_checked(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        uri = await checked(editor)
        found = await lenses(editor, uri)
        titles = [lens.command.title for lens in found if lens.command]
        assert titles == [
            "✗ disagrees on 2 inputs · re-validate",
            "✓ consistent with 5 of 5 paraphrase programs · re-validate",
        ]
        assert found[0].command is not None
        await editor.command(found[0].command.command, *(found[0].command.arguments or ()))
        await editor.until(lambda: editor.calls.count("add") == 2)


async def test_a_lens_while_it_runs_stops_it(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        uri = editor.open(WRONG.replace("It says", "It holds and says"))
        editor.save(uri)
        await editor.until(lambda: editor.calls)
        [lens] = await lenses(editor, uri)
        assert lens.command is not None
        await editor.command(lens.command.command)
        assert await lenses(editor, uri) == []


async def test_lenses_can_be_switched_off_and_hints_on(tmp_path: Path) -> None:
    async with editing(tmp_path, configuration={"codeLens": False, "inlayHints": True}) as editor:
        uri = await checked(editor)
        assert await lenses(editor, uri) == []
        assert [hint.label for hint in await hints(editor, uri)] == ["✗ inconsistent", "✓ consistent"]
        assert [hint.position.line for hint in await hints(editor, uri)] == [0, 5]


async def test_hints_are_off_by_default(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        assert await hints(editor, await checked(editor)) == []


async def test_settings_change_while_running(tmp_path: Path) -> None:
    async with editing(tmp_path, configuration={}) as editor:
        uri = await checked(editor)
        editor.client.set_configuration({"mpt": {"inlayHints": True, "codeLens": False}})
        editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=None))
        while not await hints(editor, uri):  # the new settings are asked for first
            await editor.handled()
        assert await lenses(editor, uri) == []


def pulling() -> types.ClientCapabilities:
    capabilities = full_capabilities()
    assert capabilities.text_document is not None
    assert capabilities.workspace is not None
    capabilities.text_document.diagnostic = types.DiagnosticClientCapabilities()
    capabilities.workspace.diagnostics = types.DiagnosticWorkspaceClientCapabilities(refresh_support=True)
    return capabilities


async def pull(editor: Editor, uri: str) -> list[types.Diagnostic]:
    params = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(uri))
    report = await editor.client.text_document_diagnostic_async(params)
    assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
    return list(report.items)


async def test_a_client_that_pulls_is_never_pushed(tmp_path: Path) -> None:
    async with editing(tmp_path, capabilities=pulling()) as editor:
        uri = editor.open(f"{WRONG}\n\n{RIGHT}")
        assert await pull(editor, uri) == []
        editor.save(uri)
        await editor.until(lambda: editor.client.diagnostic_refresh_count)
        [diagnostic] = await pull(editor, uri)
        assert diagnostic.range.start.line == 0
        editor.replace(uri, "def add", "# above\ndef add")
        [diagnostic] = await pull(editor, uri)
        assert diagnostic.range.start.line == 1
        assert await pull(editor, "file:///closed.py") == []
        assert editor.published == []


async def test_what_is_unchanged_is_not_said_again(tmp_path: Path) -> None:
    async with editing(tmp_path, capabilities=pulling()) as editor:
        uri = editor.open(WRONG)
        editor.save(uri)
        await editor.until(lambda: editor.client.diagnostic_refresh_count)

        async def pulled(known: str | None) -> types.DocumentDiagnosticReport:
            params = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(uri), previous_result_id=known)
            return await editor.client.text_document_diagnostic_async(params)

        first = await pulled(None)
        assert isinstance(first, types.RelatedFullDocumentDiagnosticReport)
        assert len(first.items) == 1
        again = await pulled(first.result_id)
        assert isinstance(again, types.RelatedUnchangedDocumentDiagnosticReport)
        assert again.result_id == first.result_id
        editor.replace(uri, "return 3", "return 4")
        cleared = await pulled(first.result_id)
        assert isinstance(cleared, types.RelatedFullDocumentDiagnosticReport)
        assert (list(cleared.items), cleared.result_id == first.result_id) == ([], False)


async def test_why_it_is_taken_for_an_assistants_is_shown(tmp_path: Path) -> None:
    async with editing(tmp_path, configuration={"select": "assistant"}) as editor:
        uri = editor.open("import math\n\n\n# Generated by Claude\n" + WRONG)
        editor.save(uri)
        await editor.warned(uri)
        assert "an assistant seems to have written it" in str(await hover(editor, uri, 4, 5))
        await editor.command("mpt.showDisagreements", uri, "add")
        report = Path(editor.client.shown_documents[0].uri.removeprefix("file://")).read_text(encoding="utf-8")
        assert "an assistant seems to have written it: the comment '# Generated by Claude' says so" in report


async def test_the_report_has_what_every_program_does_and_what_it_took(tmp_path: Path) -> None:
    async with editing(tmp_path, configuration={"seed": 7}) as editor:
        uri = await checked(editor)
        await editor.command("mpt.showDisagreements", uri, "add")
        report = Path(editor.client.shown_documents[0].uri.removeprefix("file://")).read_text(encoding="utf-8")
        assert re.search(r"^add\(\[1, 2\], 0\) +3 +0 +0 +0 +0 +3$", report, re.MULTILINE)
        assert "From this wording, 80% like the docstring's:" in report
        assert "10 LLM calls, 1,200 tokens, 460 executions, 1.5 s; seed 7" in report
        assert len(re.findall(r"^def add\(numbers, start\):$", report, re.MULTILINE)) == 6
        assert len(re.findall(r"^```diff$", report, re.MULTILINE)) == 5
