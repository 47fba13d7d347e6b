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
STOP = "mpt.stop"
SHOW_DISAGREEMENTS = "mpt.showDisagreements"
COMPARE = "mpt.compare"
REPLACE = "mpt.replace"
ADD_EXAMPLE = "mpt.addExample"
CLARIFY = "mpt.clarify"
ADD_TEST = "mpt.addTest"
ACCEPT = "mpt.accept"
IGNORE = "mpt.ignore"
TRUST = "mpt.trust"

_ON_DISAGREEMENT = {
    "Show disagreeing inputs": SHOW_DISAGREEMENTS,
    "Compare with a paraphrase program": COMPARE,
    "Replace by the majority program…": REPLACE,
    "Add the disagreeing input as an example…": ADD_EXAMPLE,
    "Add the disagreeing input as a pytest test…": ADD_TEST,
    "Accept as intended": ACCEPT,
    "Ignore this function": IGNORE,
}
_OF_FILES = {"Re-validate this file": REVALIDATE_FILE, "Re-validate all open files": REVALIDATE_ALL}


def actions(
    uri: str, found: Iterable[Found], running: frozenset[str], span: Span, context: types.CodeActionContext
) -> list[types.CodeAction]:
    """Those for each function that `span` touches, and those for files, of the kinds the client asks for.

    running: the keys of the functions that are being checked.
    """
    asked = context.only
    offered = []
    if asked is None or any(_covers(kind, types.CodeActionKind.QuickFix) for kind in asked):
        ours = [one for one in context.diagnostics if one.source == SOURCE]
        for one in found:
            if one.function.span.start <= span.end and span.start <= one.function.span.end:
                offered += _of_function(uri, one, one.key in running, ours)
    if asked is not None and any(_covers(kind, types.CodeActionKind.Source) for kind in asked):
        offered += [_action(title, name, [uri], types.CodeActionKind.Source) for title, name in _OF_FILES.items()]
    return offered


def _of_function(
    uri: str, found: Found, running: bool, diagnostics: Sequence[types.Diagnostic]
) -> list[types.CodeAction]:
    titles: dict[str, str] = {}
    if found.report and found.disagrees:
        titles |= _ON_DISAGREEMENT
        if found.report.verdict.status == "AMBIGUOUS":
            titles["Make the docstring say it…"] = CLARIFY
    if running:
        titles["Stop checking"] = STOP
    elif found.function.obstacle is None:
        titles["Re-validate function"] = REVALIDATE
    kind = types.CodeActionKind.QuickFix
    return [_action(title, name, [uri, *found.identity], kind, diagnostics) for title, name in titles.items()]


def _action(
    title: str,
    command: str,
    arguments: list[object],
    kind: types.CodeActionKind,
    diagnostics: Sequence[types.Diagnostic] = (),
) -> types.CodeAction:
    return types.CodeAction(
        title=title,
        kind=kind,
        diagnostics=list(diagnostics) or None,
        command=types.Command(title=title, command=command, arguments=arguments),
    )


def _covers(asked: str, kind: str) -> bool:
    """An asked kind covers itself and all kinds below it."""
    return asked in ("", kind) or kind.startswith(asked + ".")
