"""A report in short lines of plain, harmless text: what every way of showing it shares."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from mpt import spelling
from mpt.reporting.escape import printable
from mpt.values import Answer, Disagreement, Example, Function, Report, Spent, Status

MARKS: dict[Status, str] = {"CONSISTENT": "✓", "INCONSISTENT": "✗", "AMBIGUOUS": "≈", "INCONCLUSIVE": "?"}


def shown_call(report: Report, disagreement: Disagreement) -> str:
    """`add([1, 2], 0)`."""
    name = report.function.prompt.entry_point
    return printable(spelling.call(name, disagreement.arguments))


def shown_target(found: Disagreement) -> str:
    """`3`, `raises ValueError`, `did not end (time)`, `None, leaving [1, 2]`."""
    return _shown(found)[0]


def shown_answers(found: Disagreement) -> str:
    """`0 ×4 · 3 ×1`."""
    pairs = zip(_shown(found)[1:], found.others, strict=True)
    return " · ".join(f"{text} ×{len(answer.programs)}" for text, answer in pairs)


def _shown(found: Disagreement) -> list[str]:
    """The target's outcome and the answers."""
    return list(map(printable, spelling.outcomes([found.target, *(answer.outcome for answer in found.others)])))


def shown_example(name: str, example: Example) -> str:
    """`f(3) == 5`, as the docstring says it."""
    if example.raises is not None:
        return printable(f"{spelling.call(name, example.arguments)} raises {example.raises}")
    expected = "?" if example.expected is None else spelling.literal(example.expected)
    return printable(f"{spelling.call(name, example.arguments)} == {expected}")


def main_rival(disagreement: Disagreement) -> Answer:
    """The most frequent answer of paraphrase programs that is not spelt as the target's."""
    others = [answer for answer in disagreement.others if answer.outcome != disagreement.target]
    return (others or list(disagreement.others))[0]


def in_short(report: Report) -> str:
    """A few words: `consistent with 5 of 5 paraphrase programs`."""
    verdict, evidence = report.verdict, report.evidence
    total = len(evidence.others) if evidence else 0
    match verdict.status:
        case "CONSISTENT":
            never = total if verdict.agreement is None else round(verdict.agreement * total)
            return f"consistent with {never} of {total} paraphrase programs"
        case "INCONSISTENT":
            return f"disagrees on {_counted(len(verdict.disagreements), 'input')}"
        case "AMBIGUOUS":
            return "the description may be ambiguous"
        case "INCONCLUSIVE":
            return f"could not be judged: {printable(verdict.reason)}"


def authorship(function: Function) -> str:
    """Who seems to have written it, and why we think so; empty where nothing is known."""
    provenance = function.provenance
    if not provenance.reasons:
        return ""
    who = "an assistant" if provenance.author == "assistant" else "a person"
    return printable(f"{who} seems to have written it: {'; '.join(provenance.reasons)}", 1000)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def headline(report: Report) -> str:
    """One line: `add([1, 2], 0)` returns 3; 4 of 5 paraphrase programs return 0. Else the verdict's reason."""
    if report.verdict.status != "INCONSISTENT" or not report.verdict.disagreements:
        return printable(report.verdict.reason)
    smallest = report.verdict.disagreements[0]
    rival = main_rival(smallest)
    asked = sum(len(answer.programs) for answer in smallest.others)
    mine = _predicate(shown_target(smallest), plural=False)
    theirs = _predicate(_shown(smallest)[1 + smallest.others.index(rival)], plural=True)
    return f"`{shown_call(report, smallest)}` {mine}; {len(rival.programs)} of {asked} paraphrase programs {theirs}"


def _predicate(text: str, *, plural: bool) -> str:
    if text.startswith("raises "):
        return "raise " + text.removeprefix("raises ") if plural else text
    if text.startswith(("did not end", "could not run")):
        return text
    return f"return {text}" if plural else f"returns {text}"


def printed(report: Report, program: int) -> list[str]:
    """The first lines of what a program of the evidence printed; 0 is the function itself."""
    kept = report.evidence.printed if report.evidence else ()
    return [printable(line, 1000) for line in kept[program].strip("\n").split("\n")] if kept and kept[program] else []


def cost(spent: Spent) -> str:
    """`10 LLM calls, 1,234 tokens, 460 executions, 12.3 s`."""
    calls = f"{spent.llm_calls} LLM call{'' if spent.llm_calls == 1 else 's'}"
    return f"{calls}, {spent.tokens:,} tokens, {spent.executions:,} executions, {spent.seconds:.1f} s"


def total(reports: Sequence[Report]) -> Spent:
    """What several checks cost together."""
    spent = [report.spent for report in reports]
    return Spent(
        sum(one.seconds for one in spent),
        sum(one.llm_calls for one in spent),
        sum(one.prompt_tokens for one in spent),
        sum(one.completion_tokens for one in spent),
        sum(one.executions for one in spent),
    )


def summary(reports: Sequence[Report]) -> str:
    """`4 functions: 2 consistent, 1 inconsistent, 1 inconclusive`."""
    counted = Counter(report.verdict.status for report in reports)
    parts = [f"{counted[status]} {status.lower()}" for status in MARKS if counted[status]]
    return f"{len(reports)} function{'' if len(reports) == 1 else 's'}: {', '.join(parts) or 'none'}"


HEAD = ("input", "function", "paraphrase programs")


def row(report: Report, found: Disagreement) -> tuple[str, str, str]:
    """One disagreeing input, below HEAD."""
    return shown_call(report, found), shown_target(found), shown_answers(found)


def table(report: Report, most: int) -> str:
    """The disagreeing inputs, the smallest first: what the function answers, and what the paraphrase programs do."""
    shown = report.verdict.disagreements[:most]
    more = len(report.verdict.disagreements) - len(shown)
    return columns([HEAD, *(row(report, one) for one in shown)]) + (f"\n… and {more} more" if more else "")


def columns(rows: Sequence[Sequence[str]]) -> str:
    """The cells of each row below those of the row above; rows are equally long."""
    widths = [min(60, max(map(len, column))) for column in zip(*rows, strict=True)]
    padded = ("  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)) for row in rows)
    return "\n".join(line.rstrip() for line in padded)
