"""Which of the inputs that were tried are handed out: those that tell programs apart, reach far, and differ."""

from __future__ import annotations

import re
from collections.abc import Iterable
from random import Random
from typing import Any

LATE = "?"
"""In place of an answer: the call did not end by itself, which tells nothing."""
ALIKE = 20
"""Turns taken among inputs of one kind."""
_MISUSED = ("!TypeError", "!AttributeError")
_FLOAT = re.compile(r"-?\d+\.\d+(?:e[+-]?\d+)?|-?\d+e[+-]?\d+")


def plain(wire: str) -> str:
    """The text of an answer, alike for answers that are the same: floats to nine digits, whole ones as integers."""
    return _FLOAT.sub(lambda match: f"{float(match[0]):.9g}", wire)


class Tried:
    """An input and what the programs answered, the target first: texts, "!" and a type's name where they raised.

    path: the same number for inputs that ran the same lines. new: it reached something, or split the programs, anew.
    """

    def __init__(self, what: Any, answers: list[str], path: int, new: bool) -> None:
        self.what = what
        self.answers = answers
        self.path = path
        self.new = new

    @property
    def split(self) -> tuple[int, ...]:
        """Which programs answer alike: each one's number is the first program with its answer."""
        return tuple(-1 if answer == LATE else self.answers.index(answer) for answer in self.answers)

    @property
    def doubtful(self) -> bool:
        """Do more than half of the programs raise? Then it is likely to be outside what the function is for."""
        return 2 * sum(answer.startswith("!") for answer in self.answers) > len(self.answers)

    @property
    def agreed(self) -> bool:
        """All that came to an end answer alike."""
        return len({answer for answer in self.answers if answer != LATE}) == 1


def best(tried: list[Tried], count: int, random: Random) -> list[Tried]:
    """The `count` best, best first.

    Half the room is for inputs that split the programs, each way of splitting them in turn; then come those that
    reached something new; then others by path and answer in turn. The doubtful come last, a tenth at most, those first
    that the function refuses by itself: a TypeError says less.
    """
    sound = [one for one in tried if not one.doubtful]
    doubtful = _distinct(one for one in tried if one.doubtful and one.new)
    doubtful = sorted(doubtful, key=lambda one: one.answers[0] in _MISUSED)[: max(1, count // 10)]
    room = count - len(doubtful)
    splitting = _in_turn([one for one in sound if not one.agreed], lambda one: one.split)
    reaching = [one for one in sound if one.new]
    rest = _in_turn(sound, lambda one: (one.path, one.answers[0]), random)
    chosen: dict[int, Tried] = {}
    for some, limit in ((splitting, (room + 1) // 2), (reaching, room), (rest, room)):
        for one in some:
            if len(chosen) < limit:
                chosen.setdefault(id(one), one)
    return [*chosen.values(), *doubtful][:count]


def _in_turn(tried: list[Tried], kind: Any, random: Random | None = None) -> list[Tried]:
    """One of each kind, then a second of each, and so on."""
    kinds: dict[Any, list[Tried]] = {}
    for one in tried:
        kinds.setdefault(kind(one), []).append(one)
    groups = list(kinds.values())
    if random:
        random.shuffle(groups)
    return [group[turn] for turn in range(ALIKE) for group in groups if turn < len(group)]


def _distinct(tried: Iterable[Tried]) -> list[Tried]:
    """One a set of answers."""
    return list({tuple(one.answers): one for one in reversed(list(tried))}.values())[::-1]
