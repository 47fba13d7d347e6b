"""What all policies share: who differs from whom, who answers alike, which inputs to show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from mpt.equality import Equality, Same, same
from mpt.spelling import call
from mpt.validation.thresholds import Thresholds
from mpt.values import Answer, Arguments, Disagreement, Evidence, Opaque, Outcome, Raised, Returned, Stopped, Verdict
from mpt.worker.arguments import UNMAKEABLE


@dataclass(frozen=True)
class Comparison:
    """The evidence, compared.

    table[p][i]: is program p's outcome on input i the same as the target's?
    comparable: the paraphrase programs for which that can be told on some input.
    """

    evidence: Evidence
    equality: Equality

    @cached_property
    def table(self) -> dict[int, tuple[Same, ...]]:
        target = self.evidence.target
        return {
            p: tuple(same(mine, theirs, self.equality) for mine, theirs in zip(target, row, strict=True))
            for p, row in enumerate(self.evidence.outcomes)
            if p > 0
        }

    @cached_property
    def comparable(self) -> tuple[int, ...]:
        return tuple(p for p, row in self.table.items() if any(seen is not None for seen in row))

    @cached_property
    def differing(self) -> tuple[int, ...]:
        """The paper's difference set."""
        return tuple(p for p in self.comparable if False in self.table[p])

    @property
    def agreement(self) -> float:
        return 1 - len(self.differing) / len(self.comparable)

    def disagreements(self, at: Iterable[int], programs: Sequence[int]) -> tuple[Disagreement, ...]:
        """What `programs` answer on the inputs `at`, the smallest input first."""
        seen = self.evidence
        found = [Disagreement(seen.inputs[i], seen.target[i], group(seen, i, programs, self.equality)) for i in at]
        return tuple(sorted(found, key=lambda disagreement: shortlex(disagreement.arguments)))

    def too_few(self, thresholds: Thresholds) -> Verdict | None:
        """INCONCLUSIVE where fewer than `min_programs` can be compared."""
        count = len(self.comparable)
        if count >= thresholds.min_programs:
            return None
        reason = never_ended(self.evidence.target)
        if reason is not None:
            return Verdict("INCONCLUSIVE", reason)
        reason = f"only {count} of {len(self.evidence.others)} paraphrase programs could be compared"
        return Verdict("INCONCLUSIVE", f"{reason}; {thresholds.min_programs} are needed")


def never_ended(target: Sequence[Outcome]) -> str | None:
    """That the target was stopped on every input, and by what first; None where it ended on some."""
    first = target[0] if target else None
    if not isinstance(first, Stopped) or not all(isinstance(seen, Stopped) for seen in target):
        return None
    if first.detail.startswith(UNMAKEABLE):
        return f"no input could be made for it: {first.detail.removeprefix(UNMAKEABLE)}"
    detail = f": {first.detail}" if first.detail else ""
    return f"the function itself did not end by itself on any input ({first.cause}{detail})"


def group(evidence: Evidence, i: int, programs: Iterable[int], equality: Equality) -> tuple[Answer, ...]:
    """The programs' outcomes on input `i` by what is the same, most frequent first; their order plays no part.

    What cannot be compared stands together by its kind (Stopped for one cause, Opaque of one type).
    """
    groups: list[tuple[Outcome, list[int]]] = []
    for p in sorted(programs, key=lambda p: repr(evidence.outcomes[p][i])):
        outcome = evidence.outcomes[p][i]
        for shown, members in groups:
            if outcome == shown or same(outcome, shown, equality):
                members.append(p)
                break
        else:
            groups.append((outcome, [p]))
    answers = [Answer(outcome, tuple(sorted(members))) for outcome, members in groups]
    return tuple(sorted(answers, key=lambda answer: (-len(answer.programs), repr(answer.outcome))))


def clusters(evidence: Evidence, programs: Iterable[int], equality: Equality) -> list[list[int]]:
    """Programs that nowhere differ from the first of their cluster, in their order."""
    found: list[list[int]] = []
    for p in programs:
        home = next((cluster for cluster in found if _alike(evidence, cluster[0], p, equality)), None)
        if home is None:
            found.append([p])
        else:
            home.append(p)
    return found


def _alike(evidence: Evidence, p: int, q: int, equality: Equality) -> bool:
    rows = zip(evidence.outcomes[p], evidence.outcomes[q], strict=True)
    return all(same(a, b, equality) is not False for a, b in rows)


def shortlex(arguments: Arguments) -> tuple[int, str]:
    """Sorts the smallest input first: by the length of its text, then the text."""
    text = call("", arguments)
    return len(text), text


def known(outcome: Outcome) -> bool:
    return not isinstance(outcome, Stopped | Opaque)


def whole(outcome: Outcome) -> bool:
    """Is it the answer of a program that has all it needs? One that lacks a name or an import says nothing."""
    return known(outcome) and not (isinstance(outcome, Raised) and outcome.type_name in _BROKEN)


_BROKEN = frozenset({"NameError", "UnboundLocalError", "ImportError", "ModuleNotFoundError"})


def returned(answer: Answer) -> bool:
    return isinstance(answer.outcome, Returned)
