"""Arguments → arguments that differ a little: what the in-process loop breeds from.

Mutations know the shapes: they stay within bounds, splice values seen in examples and constants read from the program's
source, let one argument borrow from another (a substring, an element, a length), and rather shrink than grow.
"""

from __future__ import annotations

import ast
from random import Random
from typing import Any

from mpt.worker import codec
from mpt.worker.shapes import Dict, Float, Int, Made, Many, Parameters, Shape, Sized, Source, Str, Tuple, Union

_FRESH = 48
"""Random bytes a new value is decoded from; what is not read is ignored, what lacks is zero."""
_PLAIN = bytes(byte % 240 for byte in range(256))
"""No byte above 240: those mean the numbers of eight bytes that nobody can read."""


_MANY_KINDS = 8


def _flat(shape: Shape) -> list[Shape]:
    """What it may be, choices of choices too."""
    return [one for item in shape.items for one in _flat(item)] if isinstance(shape, Union) else [shape]


def _choices(shape: Shape) -> int:
    """The most choices that a parameter, or an argument of what makes it, has."""
    if isinstance(shape, Union):
        return max(len(_flat(shape)), *map(_choices, shape.items))
    return max(map(_choices, shape.items), default=0) if isinstance(shape, Made) else 1


class Constants:
    """Numbers and short texts written in the programs' sources."""

    def __init__(self, sources: list[str]) -> None:
        found = [value for source in sources for value in _constants(source)]
        self.numbers: list[Any] = list(dict.fromkeys(v for v in found if type(v) in (int, float) and abs(v) < 1 << 62))[
            :64
        ]
        self.texts: list[str] = list(dict.fromkeys(v for v in found if type(v) is str and 0 < len(v) <= 20))[:64]


def _constants(source: str) -> list[Any]:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    return [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]


class Mutator:
    """Makes and changes values of the parameters' shapes. Every choice comes from `random`."""

    def __init__(self, parameters: Parameters, constants: Constants, random: Random) -> None:
        self.parameters = parameters
        self.constants = constants
        self.random = random

    def fresh(self) -> list[Any]:
        """New arguments."""
        return [self.made(shape) for shape in self.parameters.shapes]

    def made(self, shape: Shape) -> Any:
        data = self.random.getrandbits(8 * _FRESH).to_bytes(_FRESH, "little")
        return shape.decode(Source(data.translate(_PLAIN)))

    def alike(self) -> list[list[Any]]:
        """Arguments that are all of the first kind that they may be, of the second, …; where they may be of many.

        Several parameters of which nothing is known are seldom right all at once by chance.
        """
        shapes = self.parameters.shapes
        count = max((_choices(shape) for shape in shapes), default=0)
        return [[self._of_kind(shape, k) for shape in shapes] for k in range(count if count >= _MANY_KINDS else 0)]

    def _of_kind(self, shape: Shape, k: int) -> Any:
        if isinstance(shape, Union):
            flat = _flat(shape)
            return self._of_kind(flat[k % len(flat)], k)
        if isinstance(shape, Made):
            return shape.of([self._of_kind(item, k) for item in shape.items])
        return self.made(shape)

    def mutated(self, values: list[Any], others: list[Any]) -> list[Any]:
        """The arguments with one of them, seldom two, changed; `others` are arguments to splice from."""
        values = list(values)
        if not values:
            return values
        for _ in range(1 if self.random.random() < 0.7 else 2):
            index = self.random.randrange(len(values))
            how = self.random.random()
            if how < 0.1:
                values[index] = others[index]
            elif how < 0.25 and len(values) > 1:
                values[index] = self._borrowed(index, values)
            else:
                values[index] = self.changed(self.parameters.shapes[index], values[index])
        return values

    def changed(self, shape: Shape, value: Any) -> Any:
        """A value of the shape near the given one, or a new one where the given one is of no use."""
        if isinstance(shape, Union):
            choice = shape.choice(value) if self.random.random() < 0.8 else None
            return self.changed(choice, value) if choice else self.made(self.random.choice(shape.items))
        change = _CHANGES.get(type(shape))
        if change is None or not shape.holds(value):
            return self.made(shape)
        return change(self, shape, value)

    def edges(self, values: list[Any]) -> list[list[Any]]:
        """The arguments with one of them at an edge of what it may be: nothing, one, the bounds, twice the same."""
        return [
            [*values[:index], edge, *values[index + 1 :]]
            for index, (shape, value) in enumerate(zip(self.parameters.shapes, values))
            for edge in self._edges(shape, value)
        ]

    def _edges(self, shape: Shape, value: Any) -> list[Any]:
        if isinstance(shape, Union):
            return [edge for item in shape.items for edge in self._edges(item, value)]
        if isinstance(shape, Int):
            offered: list[Any] = [0, 1, 2, -1, shape.low, shape.high, 10, 100]
        elif isinstance(shape, Float):
            offered = [0.0, 1.0, -1.0, 0.5, shape.low, shape.high]
        elif isinstance(shape, Str):
            text = value if type(value) is str else ""
            offered = ["", text[:1], text * 2, text.swapcase(), text[::-1], " " + text + " ", text.replace("", " ")]
            offered.append((text or "ab") * (shape.longest // len(text or "ab")))
        elif isinstance(shape, Many):
            members = list(value) if type(value) is shape.make else [self.made(shape.items[0])]
            one = members[:1] or [self.made(shape.items[0])]
            offered = [shape.of(some) for some in ([], one, one * 2, members[::-1], members * 2, members[1:], one * 5)]
            offered += [shape.of([*members[:-1], edge]) for edge in self._edges(shape.items[0], one[0])]
        else:
            offered = [None, False, True, {}]
        return [edge for edge in offered if shape.holds(edge)]

    # --- one argument from another ----------------------------------------------------------------

    def _borrowed(self, index: int, values: list[Any]) -> Any:
        """A value for the parameter taken from another argument: a piece, a member, a length; else just changed."""
        shape = self.parameters.shapes[index]
        other = values[self.random.choice([i for i in range(len(values)) if i != index])]
        offered = self.random.choice(self._offers(other))
        choices = shape.items if isinstance(shape, Union) else [shape]
        fitting = [choice for choice in choices if choice.holds(offered)]
        return offered if fitting else self.changed(shape, values[index])

    def _offers(self, value: Any) -> list[Any]:
        random = self.random
        if type(value) in (int, float):
            return [value, value + 1, value - 1, -value, value * 2]
        if type(value) not in (str, list):
            return [value]
        start = random.randrange(len(value) + 1)
        stop = start + random.randrange(1, 5)
        offers = [
            value,
            value[start:stop],
            value[:start],
            value[::-1],
            value[start:] + value[:start],
            len(value),
            start,
        ]
        if type(value) is list and value:
            offers += [random.choice(value), random.choice(value), sum(v for v in value if type(v) is int)]
        return offers

    # --- by kind ----------------------------------------------------------------------------------

    def _int(self, shape: Int, value: Any) -> Any:
        pick = self.random.randrange(10)
        if pick < 4:
            return shape.fold(value + self.random.choice((-1, 1, -2, 2, 10, -10)))
        if pick < 6:
            return shape.fold(self.random.choice((-value, value * 2, value // 2, value * 10, value // 10)))
        if pick < 8 and self.constants.numbers:
            return shape.fold(int(self.random.choice(self.constants.numbers)) + self.random.choice((-1, 0, 0, 1)))
        return self.made(shape)

    def _float(self, shape: Float, value: Any) -> Any:
        pick = self.random.randrange(10)
        if pick < 4:
            return shape.fold(round(value + self.random.choice((-1, 1, 0.5, -0.5, 0.1, -0.1, 0.01)), 4))
        if pick < 6:
            return shape.fold(self.random.choice((-value, value * 2, value / 2, round(value, 1))))
        if pick < 7 and self.constants.numbers:
            return shape.fold(float(self.random.choice(self.constants.numbers)))
        return self.made(shape)

    def _str(self, shape: Str, value: Any) -> Any:
        return shape.fit(self._edited_text(shape, value))

    def _edited_text(self, shape: Str, value: Any) -> Any:
        random = self.random
        start = random.randrange(len(value) + 1)
        stop = min(len(value), start + random.randrange(1, 4))
        before, piece, after = value[:start], value[start:stop], value[stop:]
        pick = random.randrange(13)
        if pick < 2:
            return before + after
        if pick < 4:
            return before + random.choice(shape.alphabet) + value[start:]
        if pick < 5:
            return before + random.choice(shape.odd) + after
        if pick < 6:
            return before + piece + piece + after
        if pick < 7:
            return before + (piece.swapcase() if random.random() < 0.6 else piece[::-1]) + after
        if pick < 8 and shape.tokens:
            return before + random.choice(shape.tokens) + after
        if pick < 9 and self.constants.texts:
            return before + random.choice(self.constants.texts) + after
        if pick < 10:
            return random.choice((value[::-1], value + value[::-1], value.upper(), value.lower(), after + before))
        if pick < 11 and shape.brackets:
            pair = random.choice(shape.brackets)
            return before + pair[0] + piece + pair[1] + after
        if pick < 12 and shape.samples:
            return before + random.choice(shape.samples)[start:]
        return self.made(shape)

    def _many(self, shape: Many, value: Any) -> Any:
        members = sorted(value, key=codec.encode) if shape.distinct else list(value)  # sets have no order of their own
        members = self._edited(shape, members, lambda old: self.changed(shape.items[0], old), shape.items[0])
        return shape.of(members)

    def _dict(self, shape: Dict, value: dict[Any, Any]) -> dict[Any, Any]:
        pairs = self._edited(shape, list(value.items()), lambda old: self._pair(shape, old), None)
        return shape.of(pairs)

    def _pair(self, shape: Dict, pair: Any) -> Any:
        key, item = pair if pair else (self.made(shape.items[0]), self.made(shape.items[1]))
        if self.random.random() < 0.5:
            return self.changed(shape.items[0], key), item
        return key, self.changed(shape.items[1], item)

    def _edited(self, shape: Sized, members: list[Any], changed: Any, item: Shape | None) -> list[Any]:
        """Members removed, repeated, added, changed, moved; the length within bounds."""
        random = self.random
        at = random.randrange(len(members)) if members else 0
        pick = random.randrange(12)
        if not members or pick < 2:
            members.insert(at, self.made(item) if item else changed(None))
        elif pick < 5:
            members[at] = changed(members[at])
        elif pick < 7:
            del members[at]
        elif pick < 8:
            members.insert(random.randrange(len(members) + 1), members[at])
        elif pick < 9:
            other = random.randrange(len(members))
            members[at], members[other] = members[other], members[at]
        elif pick < 10:
            members = members[:at] if random.random() < 0.5 else members[at:]
        else:
            members = self._rearranged(members)
        while len(members) < shape.shortest:
            members.append(self.made(item) if item else changed(None))
        return members[: shape.longest]

    def _rearranged(self, members: list[Any]) -> list[Any]:
        pick = self.random.randrange(4)
        if pick == 0:
            return members[::-1]
        if pick == 1:
            return members + members[::-1]
        if pick == 2:
            self.random.shuffle(members)
            return members
        try:
            return sorted(members)
        except TypeError:
            return members

    def _tuple(self, shape: Tuple, value: tuple[Any, ...]) -> tuple[Any, ...]:
        if not value:
            return value
        at = self.random.randrange(len(value))
        return (*value[:at], self.changed(shape.items[at], value[at]), *value[at + 1 :])

    def _made(self, shape: Made, value: Any) -> Any:
        """One of its arguments changed."""
        arguments = shape.arguments(value)
        if arguments:
            at = self.random.randrange(len(arguments))
            arguments[at] = self.changed(shape.items[at], arguments[at])
        return shape.of(arguments)


_CHANGES: dict[type, Any] = {
    Int: Mutator._int,
    Float: Mutator._float,
    Str: Mutator._str,
    Many: Mutator._many,
    Dict: Mutator._dict,
    Tuple: Mutator._tuple,
    Made: Mutator._made,
}
