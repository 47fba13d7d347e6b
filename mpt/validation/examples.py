"""The docstring's examples as an oracle, by what most paraphrase programs say of them."""

from __future__ import annotations

from dataclasses import dataclass

from mpt.equality import Equality, Same, same
from mpt.values import Evidence, Example, Outcome, Raised, Returned


@dataclass(frozen=True, slots=True)
class Oracle:
    """doubtful: examples most paraphrase programs contradict. failed[p]: trusted inputs that program p contradicts."""

    doubtful: tuple[Example, ...]
    failed: tuple[tuple[int, ...], ...]


def weigh_examples(evidence: Evidence, equality: Equality) -> Oracle:
    """An example is trusted when most paraphrase programs meet it, doubtful when most contradict it."""
    doubtful: list[Example] = []
    failed: list[list[int]] = [[] for _ in evidence.programs]
    for example in evidence.examples:
        expected = _expected(example)
        if expected is None or example.arguments not in evidence.inputs:
            continue
        at = evidence.inputs.index(example.arguments)
        met = [_meets(row[at], expected, equality) for row in evidence.outcomes]
        known = [seen for seen in met[1:] if seen is not None]
        if 2 * known.count(True) > len(known):
            for p, seen in enumerate(met):
                if seen is False:
                    failed[p].append(at)
        elif 2 * known.count(False) > len(known):
            doubtful.append(example)
    return Oracle(tuple(doubtful), tuple(map(tuple, failed)))


def _expected(example: Example) -> Outcome | None:
    if example.raises is not None:
        return Raised(example.raises)
    return None if example.expected is None else Returned(example.expected)


def _meets(outcome: Outcome, expected: Outcome, equality: Equality) -> Same:
    """The arguments afterwards are not part of what an example shows."""
    return same(outcome, expected, Equality(equality.relative, equality.absolute, equality.exceptions))
