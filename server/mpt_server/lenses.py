"""Lines above functions and words behind them. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lsprotocol import types

from mpt.reporting import lines
from mpt.values import Position
from mpt_server import actions
from mpt_server.positions import Encoding, range_to_client, to_client
from mpt_server.views import Found


def lenses(
    uri: str, found: Iterable[Found], running: frozenset[str], text: Sequence[str], encoding: Encoding
) -> list[types.CodeLens]:
    """One above each function that was checked or is being checked. running: the keys of the latter."""
    made = []
    for one in found:
        where = range_to_client(text, one.function.name_span, encoding)
        if one.key in running:
            made.append(types.CodeLens(where, types.Command("mpt: checking… · stop", actions.STOP)))
        elif one.shown:
            said = "accepted as intended" if one.accepted and not one.disagrees else lines.in_short(one.shown)
            title = f"{lines.MARKS[one.shown.verdict.status]} {said} · re-validate"
            made.append(types.CodeLens(where, types.Command(title, actions.REVALIDATE, arguments=[uri, *one.identity])))
    return made


def inlay_hints(
    found: Iterable[Found], first: int, last: int, text: Sequence[str], encoding: Encoding
) -> list[types.InlayHint]:
    """A mark at the end of the line on which a checked function's name stands, for lines `first` to `last`."""
    made = []
    for one in found:
        line = one.function.name_span.start.line
        if one.shown and first <= line <= last:
            end = Position(line, len(text[line].rstrip("\r\n")))
            label = f"{lines.MARKS[one.shown.verdict.status]} {one.shown.verdict.status.lower()}"
            made.append(types.InlayHint(to_client(text, end, encoding), label, padding_left=True))
    return made
