"""What is known of a document, on its way to the editor."""

from __future__ import annotations

from lsprotocol import types

from mpt.values import Position, Span
from mpt_server import actions, convert, lenses
from mpt_server.checks import Checks
from mpt_server.client import Client
from mpt_server.positions import Encoding, range_to_client
from mpt_server.views import View


class Showing:
    """For one client: pushes what it has to be told, answers what it asks."""

    def __init__(self, client: Client, checks: Checks, encoding: Encoding) -> None:
        self._client = client
        self._checks = checks
        self._encoding = encoding

    def news(self, view: View) -> None:
        """Something may be known, or under way, that was not."""
        changed = self.publish(view)
        seen = tuple((one.identity, one.shown, one.accepted, self._checks.running(view.uri, one)) for one in view.found)
        if changed or seen != view.seen:
            view.seen = seen
            self._client.refresh(diagnostics=changed)

    def publish(self, view: View) -> bool:
        """Whether its diagnostics are others than before; a client that does not ask for them is sent them."""
        diagnostics = self._diagnostics(view)
        if diagnostics == view.published:
            return False
        view.published = diagnostics
        if not self._client.pulls_diagnostics:
            self._client.publish(view.document.uri, view.document.version, diagnostics)
        return True

    def pulled(self, view: View) -> list[types.Diagnostic]:
        """For a client that asks."""
        view.published = diagnostics = self._diagnostics(view)
        return diagnostics

    def lenses(self, view: View) -> list[types.CodeLens]:
        if view.effective is None or not view.effective.server.code_lens:
            return []
        document = view.document
        return lenses.lenses(document.uri, view.found, self._running(view), document.lines, self._encoding)

    def actions(self, view: View, span: Span, context: types.CodeActionContext) -> list[types.CodeAction]:
        return actions.actions(view.document.uri, view.found, self._running(view), span, context)

    def _running(self, view: View) -> frozenset[str]:
        return frozenset(one.key for one in view.found if self._checks.running(view.uri, one))

    def inlay_hints(self, view: View, span: Span) -> list[types.InlayHint]:
        if view.effective is None or not view.effective.server.inlay_hints:
            return []
        first, last = span.start.line, span.end.line
        return lenses.inlay_hints(view.found, first, last, view.document.lines, self._encoding)

    def hover(self, view: View, position: Position) -> types.Hover | None:
        """On a function's name."""
        for one in view.found:
            span = one.function.name_span
            if one.shown and span.start <= position <= span.end:
                content = convert.hover(one.shown, self._client.reads_markdown)
                return types.Hover(content, range_to_client(view.document.lines, span, self._encoding))
        return None

    def _diagnostics(self, view: View) -> list[types.Diagnostic]:
        related = view.document.uri if self._client.relates_diagnostics else None
        found = (
            convert.diagnostic(one.function, one.report, view.document.lines, self._encoding, related)
            for one in view.found
            if one.report and one.disagrees
        )
        return [diagnostic for diagnostic in found if diagnostic]
