"""Evidence → Verdict (paper §3.3). Every policy is a small pure function of the same evidence.

The words, as all policies use them:

* A paraphrase program *differs* on an input when `equality.same` is False there between its outcome and the target's.
* It is *comparable* when `same` is not None on some input. With fewer than `min_programs` of them: INCONCLUSIVE.
* `majority` (the paper's): INCONSISTENT when more than half of the comparable programs differ anywhere.
* `conservative` (the paper's): INCONSISTENT when any does. Neither ever says AMBIGUOUS.
* `consensus` (ours): the docstring's examples are an oracle, and a warning needs programs that agree with one another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from mpt.equality import DEFAULT, Equality, Same, same
from mpt.spelling import call
from mpt.values import (
    Answer,
    Arguments,
    Disagreement,
    Evidence,
    Example,
    Opaque,
    Outcome,
    Raised,
    Returned,
    Status,
    Stopped,
    Verdict,
)


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The policies' numbers.

    agreement: share of the comparable programs that must give one and the same other answer (consensus).
    min_programs: fewest comparable programs that say anything, and fewest that must agree.
    scatter: share of the inputs without a majority answer from which the description is AMBIGUOUS (consensus).
    """

    agreement: float = 0.8
    min_programs: int = 3
    scatter: float = 0.2


Policy = Callable[[Evidence, Thresholds, Equality], Verdict]


def judge(
    evidence: Evidence, policy: str = "consensus", thresholds: Thresholds | None = None, equality: Equality = DEFAULT
) -> Verdict:
    """The verdict of the policy called `policy` (a key of POLICIES)."""
    return POLICIES[policy](evidence, thresholds or Thresholds(), equality)


# --- the paper's two policies ---------------------------------------------------------------------


def majority(evidence: Evidence, thresholds: Thresholds, equality: Equality) -> Verdict:
    """Paper §3.3: reported when more than half of the paraphrase programs are in the difference set."""
    return _by_difference_set(evidence, thresholds, equality, lambda differ, comparable: 2 * differ > comparable)


def conservative(evidence: Evidence, thresholds: Thresholds, equality: Equality) -> Verdict:
    """Paper §3.3: reported when the difference set is not empty."""
    return _by_difference_set(evidence, thresholds, equality, lambda differ, comparable: differ > 0)


def _by_difference_set(
    evidence: Evidence, thresholds: Thresholds, equality: Equality, reported: Callable[[int, int], bool]
) -> Verdict:
    table = _compare(evidence, equality)
    comparable = [p for p, row in table.items() if any(seen is not None for seen in row)]
    if len(comparable) < thresholds.min_programs:
        return _too_few(evidence, comparable, thresholds)
    differing = [p for p in comparable if False in table[p]]
    agreement = 1 - len(differing) / len(comparable)
    if not reported(len(differing), len(comparable)):
        reason = f"{len(comparable) - len(differing)} of {len(comparable)} paraphrase programs never differ"
        return Verdict("CONSISTENT", reason, agreement=agreement)
    at = [i for i in range(len(evidence.inputs)) if any(table[p][i] is False for p in differing)]
    reason = f"{len(differing)} of {len(comparable)} paraphrase programs differ on some input"
    return Verdict("INCONSISTENT", reason, _disagreements(evidence, at, comparable, equality), agreement)


# --- consensus ------------------------------------------------------------------------------------


def consensus(evidence: Evidence, thresholds: Thresholds, equality: Equality) -> Verdict:
    """A warning needs programs that agree with one another (DESIGN.md, "What the words mean").

    1. An example is trusted when most paraphrase programs meet it, doubtful when most contradict it.
    2. A target that contradicts a trusted example is INCONSISTENT; programs that do are set aside.
    3. INCONSISTENT when on some input at least `agreement` of the comparable programs left, and no fewer than
       `min_programs`, return one and the same value that is not the target's.
    4. AMBIGUOUS when on at least `scatter` of the inputs no answer has a majority. Else CONSISTENT.
    """
    table = _compare(evidence, equality)
    comparable = [p for p, row in table.items() if any(seen is not None for seen in row)]
    if len(comparable) < thresholds.min_programs:
        return _too_few(evidence, comparable, thresholds)
    oracle = _weigh_examples(evidence, equality)
    agreement = sum(False not in table[p] for p in comparable) / len(comparable)
    verdict = _consensus_of(evidence, table, comparable, oracle, thresholds, equality)
    return Verdict(verdict.status, verdict.reason, verdict.disagreements, agreement, oracle.doubtful)


@dataclass(frozen=True, slots=True)
class _Oracle:
    """The examples by what most paraphrase programs say of them. failed[p]: trusted inputs program p contradicts."""

    doubtful: tuple[Example, ...]
    failed: tuple[tuple[int, ...], ...]


def _weigh_examples(evidence: Evidence, equality: Equality) -> _Oracle:
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
    return _Oracle(tuple(doubtful), tuple(map(tuple, failed)))


def _expected(example: Example) -> Outcome | None:
    if example.raises is not None:
        return Raised(example.raises)
    return None if example.expected is None else Returned(example.expected)


def _meets(outcome: Outcome, expected: Outcome, equality: Equality) -> Same:
    """The arguments afterwards are not part of what an example shows."""
    return same(outcome, expected, Equality(equality.relative, equality.absolute, equality.exceptions))


def _consensus_of(
    evidence: Evidence,
    table: dict[int, tuple[Same, ...]],
    comparable: Sequence[int],
    oracle: _Oracle,
    thresholds: Thresholds,
    equality: Equality,
) -> Verdict:
    if oracle.failed[0]:
        shown = _disagreements(evidence, oracle.failed[0], comparable, equality)
        return Verdict("INCONSISTENT", "contradicts an example of its docstring that most programs meet", shown)
    left = [p for p in comparable if not oracle.failed[p]]
    if len(left) < thresholds.min_programs:
        reason = f"only {len(left)} of {len(comparable)} paraphrase programs meet the docstring's examples"
        return Verdict("INCONCLUSIVE", f"{reason}; {thresholds.min_programs} are needed")
    against = _agreed_against(evidence, table, left, thresholds, equality)
    if against:
        shown = _disagreements(evidence, against, left, equality)
        most = max(len(found.others[0].programs) for found in shown)
        return Verdict("INCONSISTENT", f"{most} of {len(left)} paraphrase programs agree on another answer", shown)
    scattered = _scattered(evidence, left, thresholds, equality)
    if scattered and len(scattered) >= thresholds.scatter * len(evidence.inputs):
        shown = _disagreements(evidence, scattered, left, equality)
        reason = f"no answer has a majority on {len(scattered)} of {len(evidence.inputs)} inputs"
        return Verdict("AMBIGUOUS", f"{reason}: the description may leave it open", shown)
    return Verdict("CONSISTENT", f"no other answer is shared by enough of {len(left)} paraphrase programs")


def _agreed_against(
    evidence: Evidence,
    table: dict[int, tuple[Same, ...]],
    left: Sequence[int],
    thresholds: Thresholds,
    equality: Equality,
) -> list[int]:
    """The inputs on which enough of the programs left return one and the same value that is not the target's."""
    needed = max(thresholds.min_programs, thresholds.agreement * len(left) - 1e-9)
    found = []
    for i in range(len(evidence.inputs)):
        differing = [p for p in left if table[p][i] is False]
        answers = group(evidence, i, differing, equality)
        if any(isinstance(answer.outcome, Returned) and len(answer.programs) >= needed for answer in answers):
            found.append(i)
    return found


def _scattered(evidence: Evidence, left: Sequence[int], thresholds: Thresholds, equality: Equality) -> list[int]:
    """The inputs on which enough programs answer and no answer is given by more than half of those that do."""
    found = []
    for i in range(len(evidence.inputs)):
        answers = group(evidence, i, left, equality)
        known = sum(len(answer.programs) for answer in answers if _known(answer.outcome))
        most = max((len(answer.programs) for answer in answers if _known(answer.outcome)), default=0)
        if known >= thresholds.min_programs and 2 * most <= known:
            found.append(i)
    return found


# --- shared ---------------------------------------------------------------------------------------


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


def shortlex(arguments: Arguments) -> tuple[int, str]:
    """Sorts the smallest input first: by the length of its text, then the text."""
    text = call("", arguments)
    return len(text), text


def _compare(evidence: Evidence, equality: Equality) -> dict[int, tuple[Same, ...]]:
    """table[p][i]: is program p's outcome on input i the same as the target's?"""
    return {
        p: tuple(same(mine, theirs, equality) for mine, theirs in zip(evidence.target, row, strict=True))
        for p, row in enumerate(evidence.outcomes)
        if p > 0
    }


def _known(outcome: Outcome) -> bool:
    return not isinstance(outcome, Stopped | Opaque)


def _disagreements(
    evidence: Evidence, at: Iterable[int], programs: Sequence[int], equality: Equality
) -> tuple[Disagreement, ...]:
    found = [Disagreement(evidence.inputs[i], evidence.target[i], group(evidence, i, programs, equality)) for i in at]
    return tuple(sorted(found, key=lambda disagreement: shortlex(disagreement.arguments)))


def _too_few(evidence: Evidence, comparable: Sequence[int], thresholds: Thresholds) -> Verdict:
    total = len(evidence.others)
    status: Status = "INCONCLUSIVE"
    if evidence.inputs and all(isinstance(seen, Stopped) for seen in evidence.target):
        first = evidence.target[0]
        detail = f": {first.detail}" if isinstance(first, Stopped) and first.detail else ""
        cause = first.cause if isinstance(first, Stopped) else ""
        return Verdict(status, f"the function itself did not end by itself on any input ({cause}{detail})")
    reason = f"only {len(comparable)} of {total} paraphrase programs could be compared"
    return Verdict(status, f"{reason}; {thresholds.min_programs} are needed")


POLICIES: dict[str, Policy] = {"consensus": consensus, "majority": majority, "conservative": conservative}
