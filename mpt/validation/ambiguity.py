"""What an AMBIGUOUS verdict leaves open: the classes of behaviour, and the sentence that was read in several ways."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import mean

from mpt import similarity
from mpt.equality import Equality, same
from mpt.validation.comparing import clusters, group, shortlex
from mpt.values import Arguments, Disagreement, Evidence, Outcome, Verdict

MARGIN = 0.05
"""By so much the rewordings of a sentence must be less alike between classes than within them to be named."""


@dataclass(frozen=True, slots=True)
class Behaviour:
    """Programs (0 is the target) that answer alike on every input, and an input that tells them from the others."""

    programs: tuple[int, ...]
    arguments: Arguments
    outcome: Outcome


def explained(
    verdict: Verdict, evidence: Evidence, description: str, rewordings: Mapping[int, str], equality: Equality
) -> Verdict:
    """An AMBIGUOUS verdict with how many classes there are, an input for each shown first, and the open sentence."""
    classes = behaviours(evidence, equality)
    sentence = open_sentence(description, rewordings, classes)
    where = f", where it says “{sentence}”" if sentence else ""
    telling = sorted(
        {evidence.inputs.index(one.arguments) for one in classes}, key=lambda i: shortlex(evidence.inputs[i])
    )
    everybody = range(1, len(evidence.programs))
    shown = [
        Disagreement(evidence.inputs[i], evidence.target[i], group(evidence, i, everybody, equality)) for i in telling
    ]
    rest = [one for one in verdict.disagreements if one.arguments not in [first.arguments for first in shown]]
    reason = f"{verdict.reason}{where}; the programs behave in {len(classes)} ways"
    return replace(verdict, reason=reason, disagreements=(*shown, *rest))


def behaviours(evidence: Evidence, equality: Equality) -> tuple[Behaviour, ...]:
    """The classes, the largest first, each with its smallest telling input; nothing where there is one class only."""
    found = sorted(clusters(evidence, range(len(evidence.programs)), equality), key=lambda cluster: -len(cluster))
    told = [
        (cluster, _telling(evidence, cluster[0], [c[0] for c in found if c is not cluster], equality))
        for cluster in found
    ]
    return tuple(
        Behaviour(tuple(cluster), evidence.inputs[at], evidence.outcomes[cluster[0]][at])
        for cluster, at in told
        if at is not None
    )


def _telling(evidence: Evidence, p: int, others: Sequence[int], equality: Equality) -> int | None:
    """The smallest of the inputs on which p differs from most of the others."""
    differs = {
        i: sum(same(evidence.outcomes[p][i], evidence.outcomes[q][i], equality) is False for q in others)
        for i in range(len(evidence.inputs))
    }
    most = max(differs.values(), default=0)
    best = [i for i, count in differs.items() if count == most]
    return min(best, key=lambda i: shortlex(evidence.inputs[i])) if most else None


def open_sentence(description: str, rewordings: Mapping[int, str], classes: Sequence[Behaviour]) -> str | None:
    """The sentence whose rewordings are less alike between classes of programs than within them.

    rewordings: the description each program was written from, by the program's index. None where no sentence stands
    out, or fewer than two classes have a reworded description.
    """
    readings = [[rewordings[p] for p in one.programs if p in rewordings] for one in classes]
    readings = [texts for texts in readings if texts]
    if len(readings) < 2:
        return None
    openness = {sentence: _openness(sentence, readings) for sentence in _sentences(description)}
    widest = max(openness, key=lambda sentence: openness[sentence], default=None)
    return widest if widest is not None and openness[widest] >= MARGIN else None


def _openness(sentence: str, readings: Sequence[Sequence[str]]) -> float:
    matched = [[_nearest(sentence, text) for text in texts] for texts in readings]
    across = [similarity.of_texts(a, b) for one, other in combinations(matched, 2) for a in one for b in other]
    within = [similarity.of_texts(a, b) for one in matched for a, b in combinations(one, 2)]
    return (mean(within) if within else 1.0) - mean(across)


def _nearest(sentence: str, text: str) -> str:
    return max(_sentences(text), key=lambda other: similarity.of_texts(sentence, other), default="")


def _sentences(text: str) -> Iterator[str]:
    parts = re.split(r"(?<=[.!?。])\s+|\n\s*\n", text)
    return (" ".join(part.split()) for part in parts if part.strip())
