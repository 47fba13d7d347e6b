"""What the evidence says against the target, in three numbers from 0 to 1: what `default` weighs.

Rule 1: an example of the docstring is credible when the target or a paraphrase program meets it. One that nobody
        meets is doubtful: a finding of its own.
Rule 2: a program that contradicts a credible example has a poor voice.
Rule 3: programs that are copies of one another have one voice together.
Rule 4: a program that lacks a name or an import (NameError, ImportError) is not whole, and says nothing there.
Rule 5: an answer's share is of all the voices on that input and of `doubt` more: one of one is not five of five.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from mpt import similarity
from mpt.validation.comparing import Comparison, group, returned, whole
from mpt.validation.examples import Meeting, meetings
from mpt.validation.thresholds import Weights
from mpt.values import Answer, Example


@dataclass(frozen=True, slots=True)
class Signals:
    """Each grows with what speaks against the target.

    differing: share of the comparable programs that differ anywhere (the paper's difference set).
    peak: the largest share of the voices that give one other answer, a returned value, on one input.
    example: where the target contradicts an example, the share of the voices that meet it. One voice that does and
        one that does not stand beside the real ones, so that it is never 0 there.
    """

    differing: float
    peak: float
    example: float


@dataclass(frozen=True)
class Hearing:
    """A comparison with voices. Needs at least one comparable program."""

    seen: Comparison
    weights: Weights

    @property
    def signals(self) -> Signals:
        return Signals(
            differing=1 - self.seen.agreement,
            peak=max(self.shares, default=0.0),
            example=max(map(self._meeting, self.contradicted), default=0.0),
        )

    @cached_property
    def voices(self) -> dict[int, float]:
        """How much each comparable program counts for: rules 2 and 3."""
        sources = [self.seen.evidence.programs[p].source for p in self.seen.comparable]
        voices = {}
        for p, alike in zip(self.seen.comparable, similarity.between_programs(sources), strict=True):
            copies = max(1, sum(one >= self.weights.copies for one in alike))
            failed = any(one.met[p] is False for one in self._meetings if one.credible)
            voices[p] = (self.weights.poor if failed else 1.0) / copies
        return voices

    @cached_property
    def shares(self) -> tuple[float, ...]:
        """By input, the largest share of one other answer: rules 4 and 5."""
        return tuple(self._share(i) for i in range(len(self.seen.evidence.inputs)))

    @cached_property
    def contradicted(self) -> tuple[Meeting, ...]:
        """The examples that the target contradicts."""
        return tuple(one for one in self._meetings if one.target is False)

    @property
    def refuted(self) -> bool:
        """Does every program contradict an example of the docstring that the target meets?"""
        met = [one for one in self._meetings if one.target is True]
        return not self.contradicted and all(any(one.met[p] is False for one in met) for p in self.voices)

    @property
    def seconded(self) -> bool:
        """Is there a value against the target, on any input, that two programs return?"""
        inputs = range(len(self.seen.evidence.inputs))
        answers = ((answer, i) for i in inputs for answer in self._answers(i) if returned(answer))
        return any(len(self._against(answer, i)) > 1 for answer, i in answers)

    @property
    def doubtful(self) -> tuple[Example, ...]:
        return tuple(one.example for one in self._meetings if not one.credible and False in one.met)

    @cached_property
    def _meetings(self) -> tuple[Meeting, ...]:
        return meetings(self.seen.evidence, self.seen.equality)

    def _share(self, i: int) -> float:
        answers = self._answers(i)
        rivals = [self._voice(self._against(a, i)) for a in answers if returned(a)]
        return max(rivals, default=0.0) / (sum(self._voice(a.programs) for a in answers) + self.weights.doubt)

    def _answers(self, i: int) -> list[Answer]:
        return [a for a in group(self.seen.evidence, i, self.voices, self.seen.equality) if whole(a.outcome)]

    def _against(self, answer: Answer, i: int) -> list[int]:
        """Those who give it, and whose say it is that the target gives another."""
        return [p for p in answer.programs if self.seen.table[p][i] is False]

    def _meeting(self, one: Meeting) -> float:
        met = sum(voice for p, voice in self.voices.items() if one.met[p] is True)
        told = sum(voice for p, voice in self.voices.items() if one.met[p] is not None)
        return (met + 1) / (told + 2)

    def _voice(self, programs: Iterable[int]) -> float:
        return sum(self.voices[p] for p in programs)
