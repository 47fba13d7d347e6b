"""Reports as what editors show: diagnostics, markdown, one-liners. Pure.

Whatever a program returned or is called arrives here through `reporting.lines`, which leaves visible characters on
one line; in markdown it stands inside code fences longer than any run of backticks in it, so that nothing in it is
markup, a link or an image.
"""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from mpt.reporting import lines
from mpt.reporting.escape import fence, printable
from mpt.reporting.findings import DOCS, Finding, finding
from mpt.values import Function, Position, Report, Span
from mpt_server.digests import digest
from mpt_server.positions import Encoding, range_to_client

SOURCE = "mpt"
_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "information": types.DiagnosticSeverity.Information,
}


# --- texts ----------------------------------------------------------------------------------------


def plain_message(text: str) -> str:
    """One line for a message box; some editors make links of `[…](…)` there."""
    return printable(text, 2000).replace("](", "] (")


def result_id(diagnostics: Sequence[types.Diagnostic]) -> str:
    """The same for the same diagnostics, and no other."""
    return digest(repr(list(diagnostics)))


def hover(report: Report, markdown: bool) -> types.MarkupContent:
    """What is known of a function, with its disagreeing inputs."""
    parts = [f"mpt: {lines.in_short(report)}"]
    if report.verdict.disagreements:
        parts += [printable(report.verdict.reason), lines.table(report, 8)]
    parts += [printable(note) for note in report.notes]
    parts += filter(None, [lines.authorship(report.function)])
    if not markdown:
        return types.MarkupContent(types.MarkupKind.PlainText, "\n\n".join(parts))
    return types.MarkupContent(types.MarkupKind.Markdown, "\n\n".join(fence(part, "text") for part in parts))


# --- diagnostics ----------------------------------------------------------------------------------


def diagnostic(
    function: Function, report: Report, text: Sequence[str], encoding: Encoding, related_uri: str | None = None
) -> types.Diagnostic | None:
    """The function's diagnostic where there is something true to say: INCONSISTENT or AMBIGUOUS.

    text: the document's lines. related_uri: the document, where the client can show related places.
    """
    found = finding(report)
    if found is None:
        return None
    return types.Diagnostic(
        range=range_to_client(text, function.name_span, encoding),
        message=found.message,
        severity=_SEVERITIES[found.level],
        code=found.code,
        code_description=types.CodeDescription(DOCS),
        source=SOURCE,
        related_information=_related(function, found, text, encoding, related_uri) if related_uri else None,
    )


def _related(
    function: Function, found: Finding, text: Sequence[str], encoding: Encoding, uri: str
) -> list[types.DiagnosticRelatedInformation]:
    places = [(docstring_line(function), "the docstring it is compared with")]
    if found.example:
        shown = lines.shown_example(function.prompt.entry_point, found.example)
        places.append((example_line(function, shown), f"the example it contradicts: {shown}"))
    return [
        types.DiagnosticRelatedInformation(
            types.Location(uri, range_to_client(text, _whole_line(text, line), encoding)), message
        )
        for line, message in places
    ]


def docstring_line(function: Function) -> int:
    """The document's line on which the docstring begins."""
    return function.span.start.line + function.prompt.signature.count("\n")


def example_line(function: Function, shown: str) -> int:
    """The document's line of the example that reads like `shown`; the first example's, or the docstring's, else."""
    line, first = docstring_line(function), None
    call = shown.partition(" ")[0].partition("(")[2][:20]
    for segment in function.prompt.segments:
        if segment.kind == "example":
            for offset, row in enumerate(segment.text.split("\n")):
                first = line + offset if first is None and row.strip() else first
                if call and call in row:
                    return line + offset
        line += segment.text.count("\n")
    return docstring_line(function) if first is None else first


def _whole_line(text: Sequence[str], line: int) -> Span:
    row = min(line, len(text) - 1)
    content = text[row].rstrip("\r\n")
    return Span(Position(row, len(content) - len(content.lstrip())), Position(row, len(content)))
