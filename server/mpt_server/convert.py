"""Reports as what editors show: diagnostics, markdown, one-liners. Pure.

Whatever a program returned or is called arrives here through `reporting.lines`, which leaves visible characters on
one line; in markdown it stands inside code fences longer than any run of backticks in it, so that nothing in it is
markup, a link or an image.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lsprotocol import types

from mpt.equality import Equality, same
from mpt.reporting import lines
from mpt.reporting.escape import printable
from mpt.values import Disagreement, Example, Function, Position, Raised, Report, Returned, Span, Verdict
from mpt_server.digests import digest
from mpt_server.positions import Encoding, range_to_client

SOURCE = "mpt"
DOCS = "https://arxiv.org/abs/2406.06864"
LIKELY = 0.5
"""From this probability of being wrong on: a warning; below: information."""
CERTAIN = 0.8
"""From this share of programs with one and the same other answer on: a warning, where no probability is given."""


# --- texts ----------------------------------------------------------------------------------------


def plain_message(text: str) -> str:
    """One line for a message box; some editors make links of `[…](…)` there."""
    return printable(text, 2000).replace("](", "] (")


def fence(text: str, language: str = "") -> str:
    """A fenced block that `text` cannot leave."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    ticks = "`" * max(3, longest + 1)
    return f"{ticks}{language}\n{text}\n{ticks}"


def result_id(diagnostics: Sequence[types.Diagnostic]) -> str:
    """The same for the same diagnostics, and no other."""
    return digest(repr(list(diagnostics)))


def table(report: Report, most: int) -> str:
    """The disagreeing inputs, the smallest first: what the function answers, and what the paraphrase programs do."""
    shown = report.verdict.disagreements[:most]
    rows = [["input", "function", "paraphrase programs"]]
    rows += [[lines.shown_call(report, one), lines.shown_target(one), lines.shown_answers(one)] for one in shown]
    more = len(report.verdict.disagreements) - len(shown)
    return lines.columns(rows) + (f"\n… and {more} more" if more else "")


def hover(report: Report, markdown: bool) -> types.MarkupContent:
    """What is known of a function, with its disagreeing inputs."""
    parts = [f"mpt: {lines.in_short(report)}"]
    if report.verdict.disagreements:
        parts += [printable(report.verdict.reason), table(report, 8)]
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
    if report.verdict.status not in ("INCONSISTENT", "AMBIGUOUS"):
        return None
    code, severity = _code_and_severity(report)
    return types.Diagnostic(
        range=range_to_client(text, function.name_span, encoding),
        message=_message(report),
        severity=severity,
        code=code,
        code_description=types.CodeDescription(DOCS),
        source=SOURCE,
        related_information=_related(function, report, text, encoding, related_uri) if related_uri else None,
    )


def _code_and_severity(report: Report) -> tuple[str, types.DiagnosticSeverity]:
    if report.verdict.status == "AMBIGUOUS" or not report.verdict.disagreements:
        return "mpt-ambiguous", types.DiagnosticSeverity.Information
    smallest = report.verdict.disagreements[0]
    if failed_example(report, smallest):
        return "mpt-example", types.DiagnosticSeverity.Error
    sure = _is_sure(report.verdict, smallest)
    severity = types.DiagnosticSeverity.Warning if sure else types.DiagnosticSeverity.Information
    return "mpt-inconsistent", severity


def _is_sure(verdict: Verdict, smallest: Disagreement) -> bool:
    """By the probability where the policy gives one: is it rather wrong than right?"""
    if verdict.probability is not None:
        return verdict.probability >= LIKELY
    asked = sum(len(answer.programs) for answer in smallest.others)
    return len(lines.main_rival(smallest).programs) >= CERTAIN * asked


def failed_example(report: Report, disagreement: Disagreement) -> Example | None:
    """The docstring's example that this is, where the target contradicts it and the main rival meets it."""
    examples = report.evidence.examples if report.evidence else ()
    for example in examples:
        expected = Raised(example.raises) if example.raises else example.expected and Returned(example.expected)
        if expected and example.arguments == disagreement.arguments:
            rival = lines.main_rival(disagreement).outcome
            if same(disagreement.target, expected, Equality()) is False and same(rival, expected, Equality()):
                return example
    return None


def _message(report: Report) -> str:
    disagreements = report.verdict.disagreements
    if report.verdict.status == "AMBIGUOUS" and disagreements:
        smallest = disagreements[0]
        answers = lines.shown_answers(smallest)
        return f"the description may be ambiguous: `{lines.shown_call(report, smallest)}` gives {answers}"
    return lines.headline(report)


def _related(
    function: Function, report: Report, text: Sequence[str], encoding: Encoding, uri: str
) -> list[types.DiagnosticRelatedInformation]:
    places = [(docstring_line(function), "the docstring it is compared with")]
    smallest = report.verdict.disagreements[0] if report.verdict.disagreements else None
    example = failed_example(report, smallest) if smallest else None
    if example:
        shown = lines.shown_example(function.prompt.entry_point, example)
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
