"""What of a report deserves a mark in an editor or in a review, and how serious it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from mpt.equality import Equality, same
from mpt.reporting import lines
from mpt.values import Disagreement, Example, Raised, Report, Returned, Verdict

DOCS = "https://arxiv.org/abs/2406.06864"
"""Where what a finding means is explained."""
LIKELY = 0.5
"""From this probability of being wrong on: a warning; below: information."""
CERTAIN = 0.8
"""From this share of programs with one and the same other answer on: a warning, where no probability is given."""

Code = Literal["mpt-example", "mpt-inconsistent", "mpt-ambiguous"]
Level = Literal["error", "warning", "information"]
MEANING: dict[Code, str] = {
    "mpt-example": "contradicts an example of its own docstring",
    "mpt-inconsistent": "disagrees with programs written from paraphrases of its docstring",
    "mpt-ambiguous": "has a description that can be read in several ways",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """message: one line. example: the docstring's, where the function contradicts one."""

    code: Code
    level: Level
    message: str
    example: Example | None = None


def finding(report: Report) -> Finding | None:
    """None where there is nothing true to say against the function: CONSISTENT, INCONCLUSIVE."""
    if report.verdict.status not in ("INCONSISTENT", "AMBIGUOUS"):
        return None
    message = _message(report)
    if report.verdict.status == "AMBIGUOUS" or not report.verdict.disagreements:
        return Finding("mpt-ambiguous", "information", message)
    smallest = report.verdict.disagreements[0]
    example = _failed_example(report, smallest)
    if example is not None:
        return Finding("mpt-example", "error", message, example)
    return Finding("mpt-inconsistent", "warning" if _is_sure(report.verdict, smallest) else "information", message)


def _message(report: Report) -> str:
    disagreements = report.verdict.disagreements
    if report.verdict.status == "AMBIGUOUS" and disagreements:
        smallest = disagreements[0]
        answers = lines.shown_answers(smallest)
        return f"the description may be ambiguous: `{lines.shown_call(report, smallest)}` gives {answers}"
    return lines.headline(report)


def _is_sure(verdict: Verdict, smallest: Disagreement) -> bool:
    """By the probability where the policy gives one: is it rather wrong than right?"""
    if verdict.probability is not None:
        return verdict.probability >= LIKELY
    asked = sum(len(answer.programs) for answer in smallest.others)
    return len(lines.main_rival(smallest).programs) >= CERTAIN * asked


def _failed_example(report: Report, disagreement: Disagreement) -> Example | None:
    """The docstring's example that this is, where the target contradicts it and the main rival meets it."""
    examples = report.evidence.examples if report.evidence else ()
    for example in examples:
        expected = Raised(example.raises) if example.raises else example.expected and Returned(example.expected)
        if expected and example.arguments == disagreement.arguments:
            rival = lines.main_rival(disagreement).outcome
            counted = Equality(iterated=example.iterated)
            if same(disagreement.target, expected, counted) is False and same(rival, expected, counted):
                return example
    return None
