"""The docstring's examples as an oracle."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mpt.equality import Equality, Same, gives_items, same
from mpt.values import Evidence, Example, Outcome, Raised, Returned


@dataclass(frozen=True, slots=True)
class Meeting:
    """One example, on input `at`, and which programs meet it (None: cannot tell). Row 0 is the target."""

    example: Example
    at: int
    met: tuple[Same, ...]

    @property
    def target(self) -> Same:
        return self.met[0]

    @property
    def credible(self) -> bool:
        """Whether anybody meets it: what no program can do is more likely the docstring's mistake."""
        return True in self.met


def meetings(evidence: Evidence, equality: Equality) -> tuple[Meeting, ...]:
    """The examples that say what comes back and were run."""
    found = []
    for example in evidence.examples:
        expected = _expected(example)
        if expected is not None and example.arguments in evidence.inputs:
            at = evidence.inputs.index(example.arguments)
            counted = _shown(equality, example)
            met = tuple(_met(row[at], expected, counted, example) for row in evidence.outcomes)
            found.append(Meeting(example, at, met))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Oracle:
    """doubtful: examples most paraphrase programs contradict. failed[p]: trusted inputs that program p contradicts."""

    doubtful: tuple[Example, ...]
    failed: tuple[tuple[int, ...], ...]


def weigh_examples(evidence: Evidence, equality: Equality) -> Oracle:
    """An example is trusted when most paraphrase programs meet it, doubtful when most contradict it."""
    doubtful: list[Example] = []
    failed: list[list[int]] = [[] for _ in evidence.programs]
    for meeting in meetings(evidence, equality):
        known = [seen for seen in meeting.met[1:] if seen is not None]
        if 2 * known.count(True) > len(known):
            for p, seen in enumerate(meeting.met):
                if seen is False:
                    failed[p].append(meeting.at)
        elif 2 * known.count(False) > len(known):
            doubtful.append(meeting.example)
    return Oracle(tuple(doubtful), tuple(map(tuple, failed)))


def _met(outcome: Outcome, expected: Outcome, equality: Equality, example: Example) -> Same:
    """Of an answer that is no list, tuple or iterator it cannot be told here what iterating over it gives."""
    if example.iterated and isinstance(outcome, Returned) and not gives_items(outcome.value):
        return None
    return same(outcome, expected, equality)


def _expected(example: Example) -> Outcome | None:
    if example.raises is not None:
        return Raised(example.raises)
    return None if example.expected is None else Returned(example.expected)


def _shown(equality: Equality, example: Example) -> Equality:
    """The arguments afterwards are not part of what an example shows."""
    iterated = equality.iterated or example.iterated
    return replace(equality, mutation=False, state=False, receiver=False, iterated=iterated)
