"""A report as a markdown document: what the function answers, what each paraphrase program does, and what it cost."""

from __future__ import annotations

from mpt import spelling
from mpt.reporting import lines
from mpt.reporting.escape import printable
from mpt.values import Origin, Report
from mpt_server.convert import authorship, columns, fence, summary, table

MOST_SHOWN = 50


def markdown(report: Report, seed: int) -> str:
    """The whole document. Everything a program or a model said stands in a fence. seed: of its random choices."""
    function, verdict = report.function, report.verdict
    said = [summary(report), printable(verdict.reason), *filter(None, [authorship(function)])]
    parts = [f"# {function.name}: {verdict.status}", fence("\n".join(said), "text")]
    if verdict.disagreements:
        parts += ["## Disagreeing inputs", fence(table(report, MOST_SHOWN), "text")]
    parts += _doubtful(report) + _answers(report) + _printed(report, 0, "The function") + _programs(report)
    parts += [*_missing(report), "## Cost", f"{lines.cost(report.spent)}; seed {seed}"]
    return "\n\n".join(parts) + "\n"


def _doubtful(report: Report) -> list[str]:
    name = report.function.prompt.entry_point
    shown = [lines.shown_example(name, example) for example in report.verdict.doubtful_examples]
    return ["## Examples that most programs contradict", fence("\n".join(shown), "python")] if shown else []


def _answers(report: Report) -> list[str]:
    """What each program does on each input."""
    evidence = report.evidence
    if evidence is None:
        return []
    name, shown = report.function.prompt.entry_point, evidence.inputs[:MOST_SHOWN]
    rows = [["input", "function", *(f"program {number}" for number in range(1, len(evidence.programs)))]]
    for number, arguments in enumerate(shown):
        outcomes = [printable(spelling.outcome(row[number]), 40) for row in evidence.outcomes]
        rows.append([printable(spelling.call(name, arguments)), *outcomes])
    more = len(evidence.inputs) - len(shown)
    return ["## All inputs", fence(columns(rows) + (f"\n… and {more} more" if more else ""), "text")]


def _programs(report: Report) -> list[str]:
    parts = []
    for number, program in enumerate(report.evidence.programs[1:] if report.evidence else (), start=1):
        parts += [f"## Paraphrase program {number}", *_paraphrase(report, program.origin)]
        parts.append(fence(_visible(program.source.strip("\n")), "python"))
        parts += _printed(report, number, "It")
    return parts


def _printed(report: Report, number: int, who: str) -> list[str]:
    printed = lines.printed(report, number)
    return [f"{who} printed, on all inputs together:", fence("\n".join(printed), "text")] if printed else []


def _paraphrase(report: Report, origin: Origin) -> list[str]:
    if origin.paraphrase >= len(report.paraphrases):
        return []
    paraphrase = report.paraphrases[origin.paraphrase]
    return [
        f"From this wording, {paraphrase.similarity:.0%} like the docstring's:",
        fence(_visible(paraphrase.prompt.description), "text"),
    ]


def _missing(report: Report) -> list[str]:
    reasons = [printable(one.reason) for one in report.missing]
    reasons += [printable(note) for note in report.notes]
    return ["## Notes", fence("\n".join(reasons), "text")] if reasons else []


def _visible(text: str) -> str:
    return "\n".join(printable(line, 1000) for line in text.split("\n"))
