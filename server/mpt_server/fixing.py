"""The commands that change something: what the person chooses becomes an edit, of exactly the text it was made for."""

from __future__ import annotations

import asyncio
import difflib
from collections.abc import Callable
from pathlib import Path

from lsprotocol import types

from mpt.errors import StoreError
from mpt.reporting import lines
from mpt.reporting.escape import printable
from mpt.values import Arguments, Disagreement, Function, Outcome, Position, Program
from mpt_server import remedies
from mpt_server.positions import range_to_client, split_lines, to_client
from mpt_server.remedies import Cannot, Replacement
from mpt_server.session import Session
from mpt_server.verdicts import accept
from mpt_server.views import Found, View

Written = Callable[[Function, Arguments, Outcome], Replacement]


async def compare(session: Session, view: View, found: Found) -> None:
    """Opens the difference to a program that gives the main other answer.

    Beside NAME.diff stand its two sides, NAME.mine.py and NAME.theirs.py, for a client that shows them side by side.
    """
    program = _rival_program(session, found)
    if program is None:
        return
    name = found.function.name
    mine, theirs = _visible_lines(found.function.source), _visible_lines(program.source)
    session.keep(f"{name}.mine.py", "\n".join(mine) + "\n")
    session.keep(f"{name}.theirs.py", "\n".join(theirs) + "\n")
    text = difflib.unified_diff(mine, theirs, name, "a paraphrase program", lineterm="")
    await session.show(f"{name}.diff", "\n".join(text) + "\n")


def _visible_lines(source: str) -> list[str]:
    return [printable(line, 1000) for line in source.splitlines()]


async def replace_by_majority(session: Session, view: View, found: Found) -> None:
    """Asks, then replaces; refused where the text has moved on meanwhile."""
    program = _rival_program(session, found)
    if program is None:
        return
    question = f"Replace the body of {found.function.name} by the paraphrase program that most others agree with?"
    if session.client.confirms_edits or await session.client.ask(question, ("Replace", "Cancel")) == "Replace":
        label = "Replace by the majority program"
        await _write(session, view, found, label, lambda now: remedies.majority(now, program), confirm=True)


async def add_example(session: Session, view: View, found: Found) -> None:
    await _write_answer(session, view, found, "Add an example", remedies.example)


async def clarify(session: Session, view: View, found: Found) -> None:
    await _write_answer(session, view, found, "Say it in the docstring", remedies.sentence)


async def add_test(session: Session, view: View, found: Found) -> None:
    """In tests/test_MODULE.py of the root, at its end; the file is made where there is none."""
    path = view.document.path
    if path is None:
        session.client.tell("mpt: only a function in a file of its own can be tested by another")
        return
    chosen = await _chosen(session, found)
    if chosen is None:
        return
    smallest, answer = chosen
    target = view.root / "tests" / f"test_{path.stem}.py"
    before = await asyncio.to_thread(_text_of, session, target)
    number = before.count(f"def test_{found.function.prompt.entry_point}_") + 1
    module = remedies.module_of(path, view.root)
    text = remedies.pytest_test(found.function, module, smallest.arguments, answer, number)
    if "pytest.raises" in text and "import pytest" not in before:
        text = text.replace("() -> None:\n", "() -> None:\n    import pytest\n\n", 1)
    await session.client.apply("Add a test", _appended(target, before, text, session))


async def accept_as_intended(session: Session, view: View, found: Found) -> None:
    """Remembered for exactly this text."""
    try:
        await asyncio.to_thread(accept, session.store, found.function)
    except StoreError as error:
        session.client.tell(f"mpt: {error}")
    await session.read(view)


async def ignore(session: Session, view: View, found: Found) -> None:
    edit = remedies.ignore(found.function)
    await session.client.apply("Ignore the function", _workspace_edit(session, view, edit))


# --- shared ---------------------------------------------------------------------------------------


async def _write_answer(session: Session, view: View, found: Found, label: str, written: Written) -> None:
    """Asks what the smallest disagreeing input gives, and writes it down."""
    chosen = await _chosen(session, found)
    if chosen is not None:
        smallest, answer = chosen
        await _write(session, view, found, label, lambda now: written(now, smallest.arguments, answer))


async def _chosen(session: Session, found: Found) -> tuple[Disagreement, Outcome] | None:
    smallest = _smallest(session, found)
    if smallest is None or found.report is None:
        return None
    choices = {printable(said, 60): outcome for said, outcome in remedies.choices(smallest).items()}
    if not choices:
        session.client.tell("mpt: none of the answers can be written down", types.MessageType.Info)
        return None
    question = f"What should {lines.shown_call(found.report, smallest)} give?"
    answer = await session.client.ask(question, tuple(choices)[:4])
    return (smallest, choices[answer]) if answer in choices else None


def _smallest(session: Session, found: Found) -> Disagreement | None:
    if found.report and found.report.verdict.disagreements:
        return found.report.verdict.disagreements[0]
    session.client.tell(f"mpt: no disagreeing input of {found.function.name} is known", types.MessageType.Info)
    return None


def _rival_program(session: Session, found: Found) -> Program | None:
    smallest = _smallest(session, found)
    if smallest is None or found.report is None or found.report.evidence is None:
        return None
    return remedies.rival_program(found.report.evidence.programs, lines.main_rival(smallest))


async def _write(
    session: Session,
    view: View,
    found: Found,
    label: str,
    made: Callable[[Function], Replacement],
    confirm: bool = False,
) -> None:
    """Makes the edit for the function as it stands now, if it is still the text it was."""
    now = next((one for one in view.found if one.key == found.key), None)
    if now is None or session.view(view.document.uri) is not view:
        session.client.tell(f"mpt: {found.function.name} has changed meanwhile; nothing was done")
        return
    try:
        edit = made(now.function)
    except Cannot as reason:
        session.client.tell(f"mpt: {reason}")
        return
    await session.client.apply(label, _workspace_edit(session, view, edit, label if confirm else None))


def _workspace_edit(session: Session, view: View, edit: Replacement, confirm: str | None = None) -> types.WorkspaceEdit:
    """Of this version of the document: a client that has another refuses it."""
    document = view.document
    places = range_to_client(document.lines, edit.span, session.encoding)
    return session.client.text_edit(document.uri, document.version, types.TextEdit(places, edit.text), confirm)


def _text_of(session: Session, path: Path) -> str:
    view = session.view(path.as_uri())
    if view is not None:
        return view.document.text
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def _appended(path: Path, before: str, text: str, session: Session) -> types.WorkspaceEdit:
    """The text at the end of a file, which is made where it is missing."""
    rows = split_lines(before)
    end = to_client(rows, Position(len(rows) - 1, len(rows[-1])), session.encoding)
    gap = "" if not before else "\n\n" if before.endswith("\n") else "\n\n\n"
    return session.client.new_file_edit(path.as_uri(), types.TextEdit(types.Range(end, end), gap + text))
