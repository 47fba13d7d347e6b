"""What a function is for, beyond the shape of each parameter: a precondition, as a program that runs in the sandbox.

Rules write it, from the docstring's words and from what all examples have in common ("two lists of equal length",
`0 <= k <= len(arr)`, balanced brackets). It is a guess: what an example breaks is left out.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from mpt.inputs.observed import TEXTS
from mpt.values import Arguments, Example, Origin, Parameter, Program, Prompt
from mpt.worker import codec

ENTRY_POINT = "precondition"
_SIZED = ("list", "tuple", *TEXTS)


@dataclass(frozen=True, slots=True)
class _Known:
    """The docstring on one line, the parameters' names, and their values in every example that fills them all."""

    text: str
    names: tuple[str, ...]
    kinds: dict[str, str]
    seen: tuple[dict[str, Any], ...]

    def says(self, pattern: str) -> bool:
        return re.search(pattern, self.text, re.IGNORECASE) is not None

    def always(self, condition: Callable[[dict[str, Any]], bool]) -> bool:
        """Does every example meet it, and is there one?"""
        return bool(self.seen) and all(condition(values) for values in self.seen)

    def of_kind(self, *kinds: str) -> list[str]:
        return [name for name in self.names if self.kinds[name] in kinds]


def precondition_of(prompt: Prompt, parameters: Sequence[Parameter], examples: Sequence[Example]) -> Program | None:
    """The precondition that the words and the examples suggest; None where they suggest none.

    `precondition(*args)` takes the function's own arguments and returns whether the function is for them.
    """
    known = _known(prompt, parameters, examples)
    if known is None:
        return None
    conditions = dict.fromkeys(condition for rule in _RULES for condition in rule(known))
    return _program(parameters, list(conditions)) if conditions else None


def _known(prompt: Prompt, parameters: Sequence[Parameter], examples: Sequence[Example]) -> _Known | None:
    names = tuple(parameter.name for parameter in parameters)
    if any(name.startswith("*") for name in names):
        return None
    seen = tuple(values for example in examples if (values := _filled(names, example.arguments)))
    text = re.sub(r"\s+", " ", "".join(segment.text for segment in prompt.segments))
    return _Known(text, names, {parameter.name: parameter.shape.kind for parameter in parameters}, seen)


def _filled(names: tuple[str, ...], arguments: Arguments) -> dict[str, Any] | None:
    values = dict(zip(names, arguments.positional, strict=False)) | dict(arguments.keyword)
    if set(values) != set(names):
        return None
    return {name: codec.build(codec.parse(value.wire)) for name, value in values.items()}


def _program(parameters: Sequence[Parameter], conditions: list[str]) -> Program:
    positional = [parameter.name for parameter in parameters if not parameter.keyword]
    keyword = [parameter.name for parameter in parameters if parameter.keyword]
    signature = ", ".join([*positional, *(["*", *keyword] if keyword else [])])
    source = f"def {ENTRY_POINT}({signature}):\n    return {' and '.join(f'({one})' for one in conditions)}\n"
    if any("balanced(" in condition for condition in conditions):
        source = f"{inspect.getsource(balanced)}\n\n{source}"
    return Program(source, ENTRY_POINT, Origin("target", relation="precondition"))


# --- rules ----------------------------------------------------------------------------------------


def _lengths(known: _Known) -> Iterator[str]:
    """Two arguments of one length, or of lengths that always differ alike."""
    sized = known.of_kind(*_SIZED)
    for index, one in enumerate(sized):
        for other in sized[index + 1 :]:
            differences = {len(values[other]) - len(values[one]) for values in known.seen}
            if len(differences) != 1:
                continue
            [more] = differences
            lengths = {len(values[one]) for values in known.seen}
            if known.says(r"\b(?:equal|same) (?:in )?(?:length|size)|\blength of .{0,60}\bequal") or len(lengths) > 2:
                yield f"len({other}) == len({one})" + (f" {more:+d}" if more else "")


def _within(known: _Known) -> Iterator[str]:
    """`1 <= k <= len(arr)`."""
    for match in re.finditer(r"(\w+) ?(<=|<) ?len\((\w+)\)", known.text):
        number, sign, sized = match.groups()
        if number in known.of_kind("int") and sized in known.of_kind(*_SIZED):
            yield f"{number} {sign} len({sized})"


def _members(known: _Known) -> Iterator[str]:
    """What a list's members are to each other, where the words say so and the examples agree."""
    for name in known.of_kind("list"):
        values = [values[name] for values in known.seen]
        if known.says(_DISTINCT) and all(len(set(map(repr, value))) == len(value) for value in values):
            yield f"len(set(map(repr, {name}))) == len({name})"
        if known.says(_SORTED) and all(value == sorted(value) for value in values if _comparable(value)):
            yield f"{name} == sorted({name})"
        if known.says(r"\beven number of\b") and known.always(lambda v, name=name: len(v[name]) % 2 == 0):  # type: ignore[misc]
            yield f"len({name}) % 2 == 0"
        yield from _rows(known, name)


_DISTINCT = (
    r"\b(?:not contain|no|without) (?:any )?duplicate|\b(?:unique|distinct) (?:elements|values|integers|numbers)"
    r"|\bexactly once\b"
)
_SORTED = r"\b(?:given|takes?|input|is) (?:\w+ ){0,4}(?:sorted|ordered) (?:list|array|sequence)"


def _comparable(value: list[Any]) -> bool:
    return len({type(member) for member in value}) <= 1


def _rows(known: _Known, name: str) -> Iterator[str]:
    """Lists of rows: rectangular, square."""
    grids = [values[name] for values in known.seen if values[name]]
    if not grids or not all(isinstance(row, list) for grid in grids for row in grid):
        return
    if known.says(r"\b(?:rectangular|matrix|grid)\b") and all(len({len(row) for row in grid}) == 1 for grid in grids):
        yield f"len({{len(row) for row in {name}}}) <= 1"
        if all(len(grid) == len(grid[0]) for grid in grids) and known.says(r"\bsquare\b|\bN rows and N columns\b"):
            yield f"all(len(row) == len({name}) for row in {name})"


def _pairs(known: _Known) -> Iterator[str]:
    """Intervals: pairs of numbers that always stand in order."""
    for name in known.of_kind("tuple"):
        pairs = [values[name] for values in known.seen]
        numbers = all(len(pair) == 2 and all(type(end) in (int, float) for end in pair) for pair in pairs)
        if numbers and len(pairs) > 2 and all(pair[0] <= pair[1] for pair in pairs):
            yield f"{name}[0] <= {name}[1]"


def _brackets(known: _Known) -> Iterator[str]:
    """Text with brackets that are always balanced, in several pairs."""
    for name in known.of_kind(*TEXTS):
        texts = [values[name] for values in known.seen]
        count = sum(text.count(bracket) for text in texts for bracket in "([{<")
        if count > 3 and all(map(balanced, texts)):
            yield f"balanced({name})"


def balanced(text: str) -> bool:
    """Is every bracket closed by its own kind, in order?"""
    closers = {")": "(", "]": "[", "}": "{", ">": "<"}
    open_ones: list[str] = []
    for letter in text:
        if letter in "([{<":
            open_ones.append(letter)
        elif letter in closers and (not open_ones or open_ones.pop() != closers[letter]):
            return False
    return not open_ones


_RULES: tuple[Callable[[_Known], Iterator[str]], ...] = (_lengths, _within, _members, _pairs, _brackets)
