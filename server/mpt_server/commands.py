"""The commands, by name. Each reads its own arguments, and answers what is wrong with them.

A FUNCTION is given by three arguments: the document's URI, the qualified name, and its ordinal among equals (0).

    mpt.revalidate         FUNCTION     checks it
    mpt.revalidateFile     URI          checks every function of a document, or of a notebook's cells
    mpt.revalidateAll                   checks every function of every open document
    mpt.stop                            ends all checks
    mpt.showDisagreements  FUNCTION     opens a report
    mpt.compare            FUNCTION     opens the difference to a paraphrase program that disagrees
    mpt.replace            FUNCTION     puts the majority's program in its place, after a question
    mpt.addExample         FUNCTION     asks what the smallest disagreeing input gives, and writes it into the docstring
    mpt.clarify            FUNCTION     the same, as a sentence
    mpt.addTest            FUNCTION     the same, as a pytest test
    mpt.accept             FUNCTION     it is as it should be: nothing more is said of this text
    mpt.ignore             FUNCTION     writes `# mpt: ignore` above it
    mpt.trust              true|false   what the editor says of the workspace from now on
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from mpt.reporting import as_markdown, page
from mpt_server import actions, fixing
from mpt_server.session import Session
from mpt_server.views import Found, View

Arguments = tuple[Any, ...]
Command = Callable[[Session, Arguments], Awaitable[None]]
OnFunction = Callable[[Session, View, Found], Awaitable[None]]


async def revalidate(session: Session, view: View, found: Found) -> None:
    await session.check(view, [found])


async def revalidate_file(session: Session, arguments: Arguments) -> None:
    notebook = session.cells(arguments[0]) if arguments and isinstance(arguments[0], str) else []
    await _revalidate(session, notebook or [await _view(session, arguments)])


async def revalidate_all(session: Session, arguments: Arguments) -> None:
    await _revalidate(session, session.views)


async def _revalidate(session: Session, views: Iterable[View]) -> None:
    for view in views:
        await session.read(view)
        await session.check(view, _able(view))


async def show_disagreements(session: Session, view: View, found: Found) -> None:
    """Opens the report; where the client opens no documents, says where it is."""
    if found.report is None or view.effective is None:
        session.client.tell(f"mpt: {found.function.name} has not been checked yet", types.MessageType.Info)
        return
    shown = page.document(found.report, view.effective.settings.seed)
    await session.show(f"{found.function.name}.md", as_markdown.dumps(shown, aligned=True))


async def stop(session: Session, arguments: Arguments) -> None:
    session.checks.stop()


async def trust(session: Session, arguments: Arguments) -> None:
    if len(arguments) != 1 or not isinstance(arguments[0], bool):
        raise JsonRpcInvalidParams(f"wants true or false, not {arguments!r:.60}")
    session.consent.trusted = arguments[0]
    if not arguments[0]:
        session.checks.stop()


# --- arguments ------------------------------------------------------------------------------------


def on_function(work: OnFunction) -> Command:
    """A command whose arguments name a function."""

    async def command(session: Session, arguments: Arguments) -> None:
        view, found = await _function(session, arguments)
        await work(session, view, found)

    return command


async def _view(session: Session, arguments: Arguments) -> View:
    """The open document that the first argument names, read up to its text."""
    uri = arguments[0] if arguments else None
    if not isinstance(uri, str):
        raise JsonRpcInvalidParams(f"wants a document's URI first, not {uri!r:.60}")
    view = session.view(uri)
    if view is None:
        raise JsonRpcInvalidParams(f"{uri:.200} is not open")
    await session.read(view)
    return view


async def _function(session: Session, arguments: Arguments) -> tuple[View, Found]:
    """The function that URI, qualified name and ordinal name."""
    view = await _view(session, arguments)
    name = arguments[1] if len(arguments) > 1 else None
    ordinal = arguments[2] if len(arguments) > 2 else 0
    if not isinstance(name, str) or not isinstance(ordinal, int):
        raise JsonRpcInvalidParams(f"wants a function's name and a number after the URI, not {arguments[1:]!r:.60}")
    for found in view.found:
        if found.identity == (name, ordinal):
            return view, found
    raise JsonRpcInvalidParams(f"no function {name!r:.60} in {view.document.uri:.200}")


def _able(view: View) -> list[Found]:
    """What can be judged and is not to be left alone."""
    return [one for one in view.found if one.function.obstacle is None and not one.hidden]


COMMANDS: dict[str, Command] = {
    actions.REVALIDATE: on_function(revalidate),
    actions.REVALIDATE_FILE: revalidate_file,
    actions.REVALIDATE_ALL: revalidate_all,
    actions.STOP: stop,
    actions.SHOW_DISAGREEMENTS: on_function(show_disagreements),
    actions.COMPARE: on_function(fixing.compare),
    actions.REPLACE: on_function(fixing.replace_by_majority),
    actions.ADD_EXAMPLE: on_function(fixing.add_example),
    actions.CLARIFY: on_function(fixing.clarify),
    actions.ADD_TEST: on_function(fixing.add_test),
    actions.ACCEPT: on_function(fixing.accept_as_intended),
    actions.IGNORE: on_function(fixing.ignore),
    actions.TRUST: trust,
}
