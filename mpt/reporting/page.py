"""One check as a Document: what the function answers, what each paraphrase program does, and what it cost."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff

from mpt import spelling
from mpt.equality import Equality, of_function, same
from mpt.reporting import lines
from mpt.reporting.document import Block, Code, Document, Mark, Section, Table, Text
from mpt.values import Evidence, Outcome, Program, Report

MOST_SHOWN = 50
"""Inputs in a table; the rest are counted."""
_WIDE = 60


def document(report: Report, seed: int) -> Document:
    """The whole report; seed: of its random choices."""
    function, verdict = report.function, report.verdict
    said = [lines.in_short(report), verdict.reason, *filter(None, [lines.authorship(function)])]
    sections = [
        Section("Verdict", (Code("\n".join(said), "text"),)),
        *_disagreements(report),
        *_doubtful(report),
        *_answers(report),
        *_function(report),
        *_programs(report),
        *_notes(report),
        Section("Cost", (Text(f"{lines.cost(report.spent)}; seed {seed}"),)),
    ]
    return Document(f"{function.name}: {verdict.status}", tuple(sections))


def _disagreements(report: Report) -> Iterator[Section]:
    shown = report.verdict.disagreements[:MOST_SHOWN]
    if not shown:
        return
    rows = [lines.row(report, one) for one in shown]
    table = Table(lines.HEAD, tuple(rows))
    yield Section("Disagreeing inputs", (table, *_more(len(report.verdict.disagreements) - len(shown))))


def _more(count: int) -> tuple[Block, ...]:
    return (Text(f"… and {count} more"),) if count else ()


def _doubtful(report: Report) -> Iterator[Section]:
    name = report.function.prompt.entry_point
    shown = [lines.shown_example(name, example) for example in report.verdict.doubtful_examples]
    if shown:
        yield Section("Examples that most programs contradict", (Code("\n".join(shown), "python"),))


# --- every program on every input -----------------------------------------------------------------


def _answers(report: Report) -> Iterator[Section]:
    evidence = report.evidence
    if evidence is None:
        return
    name, shown = report.function.prompt.entry_point, evidence.inputs[:MOST_SHOWN]
    head = ("input", "function", *(f"program {number}" for number in range(1, len(evidence.programs))))
    rows = [
        (spelling.call(name, arguments), *(spelling.outcome(row[number])[:_WIDE] for row in evidence.outcomes))
        for number, arguments in enumerate(shown)
    ]
    equality = of_function(report.function, evidence)
    marks = tuple(_marks(evidence, number, equality) for number in range(len(shown)))
    table = Table(head, tuple(rows), marks)
    yield Section("All inputs", (table, *_more(len(evidence.inputs) - len(shown))))


def _marks(evidence: Evidence, number: int, equality: Equality) -> tuple[Mark, ...]:
    target = evidence.target[number]
    return ("", "", *(_mark(target, row[number], equality) for row in evidence.others))


def _mark(target: Outcome, other: Outcome, equality: Equality) -> Mark:
    found = same(target, other, equality)
    return "unknown" if found is None else "same" if found else "differs"


# --- programs -------------------------------------------------------------------------------------


def _function(report: Report) -> Iterator[Section]:
    printed = _printed(report, 0, "It")
    yield Section("The function", (Code(report.function.source.strip("\n"), "python"), *printed), folded=True)


def _programs(report: Report) -> Iterator[Section]:
    for number, program in enumerate(report.evidence.programs[1:] if report.evidence else (), start=1):
        blocks = (
            *_paraphrase(report, program),
            Code(program.source.strip("\n"), "python"),
            *_changed(report, program),
            *_printed(report, number, "It"),
        )
        yield Section(f"Paraphrase program {number}", blocks, folded=True)


def _paraphrase(report: Report, program: Program) -> tuple[Block, ...]:
    if program.origin.paraphrase >= len(report.paraphrases):
        return ()
    paraphrase = report.paraphrases[program.origin.paraphrase]
    alike = f"From this wording, {paraphrase.similarity:.0%} like the docstring's:"
    return Text(alike), Code(paraphrase.prompt.description, "text")


def _changed(report: Report, program: Program) -> tuple[Block, ...]:
    """What of the function's text the program has otherwise."""
    mine, theirs = report.function.source.splitlines(), program.source.splitlines()
    changes = list(unified_diff(mine, theirs, "function", "program", lineterm=""))
    return (Text("Against the function:"), Code("\n".join(changes), "diff")) if changes else ()


def _printed(report: Report, number: int, who: str) -> tuple[Block, ...]:
    printed = lines.printed(report, number)
    return (Text(f"{who} printed, on all inputs together:"), Code("\n".join(printed), "text")) if printed else ()


def _notes(report: Report) -> Iterator[Section]:
    reasons = [*(one.reason for one in report.missing), *report.notes]
    if reasons:
        yield Section("Notes", (Code("\n".join(reasons), "text"),))
