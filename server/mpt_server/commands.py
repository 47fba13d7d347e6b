"""The commands, by name. Each reads its own arguments, and answers what is wrong with them.

mpt.revalidate         [uri, qualified name, ordinal = 0]   checks one function
mpt.revalidateFile     [uri]                                checks every function of a document
mpt.revalidateAll      []                                   checks every function of every open document
mpt.showDisagreements  [uri, qualified name, ordinal = 0]   opens a report on one function
mpt.stop               []                                   ends all checks
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from mpt_server import actions, report
from mpt_server.session import Session
from mpt_server.views import Found, View

Arguments = tuple[Any, ...]
Command = Callable[[Session, Arguments], Awaitable[None]]


async def revalidate(session: Session, arguments: Arguments) -> None:
    view, found = await _function(session, arguments)
    await session.check(view, [found])


async def revalidate_file(session: Session, arguments: Arguments) -> None:
    view = await _view(session, arguments)
    await session.check(view, view.found)


async def revalidate_all(session: Session, arguments: Arguments) -> None:
    for view in session.views:
        await session.read(view)
        await session.check(view, view.found)


async def show_disagreements(session: Session, arguments: Arguments) -> None:
    """Opens the report; where the client opens no documents, says where it is."""
    _, found = await _function(session, arguments)
    if found.report is None:
        session.client.tell(f"mpt: {found.function.name} has not been checked yet", types.MessageType.Info)
        return
    uri = session.files.write(found.function.name, report.markdown(found.report))
    if not await session.client.show_document(uri):
        session.client.tell(f"mpt: the report on {found.function.name} is {uri}", types.MessageType.Info)


async def stop(session: Session, arguments: Arguments) -> None:
    session.checks.stop()


async def trust(session: Session, arguments: Arguments) -> None:
    if len(arguments) != 1 or not isinstance(arguments[0], bool):
        raise JsonRpcInvalidParams(f"wants true or false, not {arguments!r:.60}")
    session.consent.trusted = arguments[0]
    if not arguments[0]:
        session.checks.stop()


COMMANDS: dict[str, Command] = {
    actions.REVALIDATE: revalidate,
    actions.REVALIDATE_FILE: revalidate_file,
    actions.REVALIDATE_ALL: revalidate_all,
    actions.SHOW_DISAGREEMENTS: show_disagreements,
    actions.STOP: stop,
    actions.TRUST: trust,
}


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
