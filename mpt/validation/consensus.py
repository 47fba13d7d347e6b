"""consensus (ours): examples are an oracle, and a warning needs programs that agree with one another."""

from __future__ import annotations

from collections.abc import Sequence

from mpt.equality import Equality
from mpt.validation.comparing import Comparison, group, returned, whole
from mpt.validation.examples import Oracle, weigh_examples
from mpt.validation.thresholds import Thresholds
from mpt.values import Evidence, Verdict


def consensus(evidence: Evidence, thresholds: Thresholds, equality: Equality) -> Verdict:
    """A warning needs programs that agree with one another (DESIGN.md, "What the words mean").

    1. An example is trusted when most paraphrase programs meet it, doubtful when most contradict it.
    2. A target that contradicts a trusted example is INCONSISTENT; programs that do are set aside.
    3. INCONSISTENT when on some input at least `agreement` of the comparable programs left, and no fewer than
       `min_programs`, return one and the same value that is not the target's.
    4. AMBIGUOUS when on at least `scatter` of the inputs no answer has a majority. Else CONSISTENT.
    """
    seen = Comparison(evidence, equality)
    too_few = seen.too_few(thresholds)
    if too_few is not None:
        return too_few
    oracle = weigh_examples(evidence, equality)
    verdict = _consensus_of(seen, oracle, thresholds)
    return Verdict(verdict.status, verdict.reason, verdict.disagreements, seen.agreement, oracle.doubtful)


def _consensus_of(seen: Comparison, oracle: Oracle, thresholds: Thresholds) -> Verdict:
    if oracle.failed[0]:
        shown = seen.disagreements(oracle.failed[0], seen.comparable)
        return Verdict("INCONSISTENT", "contradicts an example of its docstring that most programs meet", shown)
    left = [p for p in seen.comparable if not oracle.failed[p]]
    if len(left) < thresholds.min_programs:
        reason = f"only {len(left)} of {len(seen.comparable)} paraphrase programs meet the docstring's examples"
        return Verdict("INCONCLUSIVE", f"{reason}; {thresholds.min_programs} are needed")
    against = _agreed_against(seen, left, thresholds)
    if against:
        shown = seen.disagreements(against, left)
        most = max(len(found.others[0].programs) for found in shown)
        return Verdict("INCONSISTENT", f"{most} of {len(left)} paraphrase programs agree on another answer", shown)
    open_inputs = scattered(seen, left, thresholds)
    total = len(seen.evidence.inputs)
    if open_inputs and len(open_inputs) >= thresholds.scatter * total:
        shown = seen.disagreements(open_inputs, left)
        reason = f"no answer has a majority on {len(open_inputs)} of {total} inputs"
        return Verdict("AMBIGUOUS", f"{reason}: the description may leave it open", shown)
    return Verdict("CONSISTENT", f"no other answer is shared by enough of {len(left)} paraphrase programs")


def _agreed_against(seen: Comparison, left: Sequence[int], thresholds: Thresholds) -> list[int]:
    """The inputs on which enough of the programs left return one and the same value that is not the target's."""
    needed = max(thresholds.min_programs, thresholds.agreement * len(left) - 1e-9)
    found = []
    for i in range(len(seen.evidence.inputs)):
        differing = [p for p in left if seen.table[p][i] is False]
        answers = group(seen.evidence, i, differing, seen.equality)
        if any(returned(answer) and len(answer.programs) >= needed for answer in answers):
            found.append(i)
    return found


def scattered(seen: Comparison, left: Sequence[int], thresholds: Thresholds) -> list[int]:
    """The inputs on which enough programs answer and no answer is given by more than half of those that do."""
    found = []
    for i in range(len(seen.evidence.inputs)):
        sizes = [
            len(answer.programs) for answer in group(seen.evidence, i, left, seen.equality) if whole(answer.outcome)
        ]
        if sum(sizes) >= thresholds.min_programs and 2 * max(sizes) <= sum(sizes):
            found.append(i)
    return found
