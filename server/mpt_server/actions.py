"""Code actions: what can be done about the functions in a range. Pure; the commands they name are in `commands`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lsprotocol import types

from mpt.values import Span
from mpt_server.convert import SOURCE
from mpt_server.views import Found

REVALIDATE = "mpt.revalidate"
REVALIDATE_FILE = "mpt.revalidateFile"
REVALIDATE_ALL = "mpt.revalidateAll"
SHOW_DISAGREEMENTS = "mpt.showDisagreements"
STOP = "mpt.stop"
TRUST = "mpt.trust"


def actions(uri: str, found: Iterable[Found], span: Span, context: types.CodeActionContext) -> list[types.CodeAction]:
    """Those for each function that `span` touches, of the kinds the client asks for."""
    if context.only and not any(_covers(kind, types.CodeActionKind.QuickFix) for kind in context.only):
        return []
    ours = [one for one in context.diagnostics if one.source == SOURCE]
    touched = [one for one in found if one.function.span.start <= span.end and span.start <= one.function.span.end]
    return [action for one in touched for action in _of_function(uri, one, ours)]


def _of_function(uri: str, found: Found, diagnostics: Sequence[types.Diagnostic]) -> list[types.CodeAction]:
    place = [uri, *found.identity]
    offered = []
    if found.report and found.report.verdict.disagreements:
        offered.append(_action("Show disagreeing inputs", SHOW_DISAGREEMENTS, place, diagnostics))
    if found.function.obstacle is None:
        offered.append(_action("Re-validate function", REVALIDATE, place, diagnostics))
    return offered


def _action(
    title: str, command: str, arguments: list[object], diagnostics: Sequence[types.Diagnostic]
) -> types.CodeAction:
    return types.CodeAction(
        title=title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=list(diagnostics) or None,
        command=types.Command(title=title, command=command, arguments=arguments),
    )


def _covers(asked: str, kind: str) -> bool:
    return kind == asked or kind.startswith(asked + ".") or asked == ""
