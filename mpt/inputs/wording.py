"""Bounds that a docstring's words set: "a positive integer n", "non-empty list", "1 <= len(arr) <= 100".

Every rule is checked against the values seen in examples: what an example contradicts was not meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from mpt.inputs.observed import LEAST_FLOAT, LENGTHS
from mpt.values import Shape
from mpt.worker import codec

Of = Literal["value", "length", "members"]
SCALARS = ("int", "float")


@dataclass(frozen=True, slots=True)
class Fact:
    """Bounds, inclusive, on a parameter's value, its length, or its members' values. names: whose; none: everyone's."""

    of: Of
    names: frozenset[str]
    low: float | None = None
    high: float | None = None


def narrowed(shape: Shape, name: str, facts: Iterable[Fact]) -> Shape:
    """The shape within the bounds that the facts set for the parameter of that name."""
    for fact in facts:
        if not fact.names or name in fact.names:
            shape = _apply(shape, fact)
    return shape


def _apply(shape: Shape, fact: Fact) -> Shape:
    if shape.kind == "union":
        return replace(shape, items=tuple(_apply(item, fact) for item in shape.items))
    if fact.of == "members":
        value = replace(fact, of="value")
        inner = tuple(_apply(item, value if item.kind in SCALARS else fact) for item in shape.items)
        return replace(shape, items=inner) if shape.kind in LENGTHS else shape
    if shape.kind not in (SCALARS if fact.of == "value" else LENGTHS) or (shape.kind == "tuple" and shape.low is None):
        return shape
    low = LEAST_FLOAT if fact.low == 1 and shape.kind == "float" else fact.low
    return _bounded(shape, low, fact.high)


def _bounded(shape: Shape, low: float | None, high: float | None) -> Shape:
    """Tighter bounds, unless a value that was seen is beyond them."""
    seen = [codec.build(codec.parse(sample.wire)) for sample in shape.samples]
    measures = seen if shape.kind in SCALARS else [len(value) for value in seen]
    if any((low is not None and m < low) or (high is not None and m > high) for m in measures):
        return shape
    if shape.low is not None:
        low = shape.low if low is None else max(low, shape.low)
    if shape.high is not None:
        high = shape.high if high is None else high if shape.kind in SCALARS else min(high, shape.high)
    return shape if low is not None and high is not None and low > high else replace(shape, low=low, high=high)


def kept_letters(shape: Shape, text: str) -> Shape:
    """The shape with its strs kept to the examples' characters, where the words say so, or no example has a letter."""
    items = tuple(kept_letters(item, text) for item in shape.items)
    shown = "".join(codec.build(codec.parse(sample.wire)) for sample in shape.samples) if shape.kind == "str" else ""
    keeps = shape.kind == "str" and (_KEEPS_TO.search(text) or (shown and not any(map(str.isalpha, shown))))
    return replace(shape, kind="letters" if keeps else shape.kind, items=items)


_KEEPS_TO = re.compile(
    r"\b(?:only|digits?|binary|brackets?|letters?|format|lower-?case|upper-?case|space[- ](?:delimited|separated))\b"
    r"|\b(?:consist|alphabet|hexadecimal|parenthes|represent)|\b(?:always|are|is) (?:valid|correct)\b",
    re.IGNORECASE,
)


def facts_of(text: str, names: Sequence[str]) -> tuple[Fact, ...]:
    """What the text says of the parameters, in order."""
    flat = re.sub(r"\s+", " ", text)
    readers = (_adjectives, _no_negative, _non_empty, _at_least, _less_than, _inequalities)
    return tuple(fact for reader in readers for fact in reader(flat, names))


# --- words ----------------------------------------------------------------------------------------

_COUNTS = {"one": 1, "two": 2, "three": 3, "four": 4}
_COUNT = r"(?P<count>one|two|three|four|\d+)"
_NUMBERS = r"(?:integers?|ints?|numbers?|floats?|values?|nodes?|elements?)"
_SIGNED = re.compile(
    rf"(?P<before>.{{0,45}})\b(?P<word>positive|natural|non-? ?negative)\b(?: [\w-]+){{0,3}}? {_NUMBERS}\b"
    r"(?P<after>[^.;:()]{0,25})",
    re.IGNORECASE,
)
_MANY = re.compile(
    r"\b(?:lists?|arrays?|sequences?|tuples?|tree|vector)\b[\w ]{0,25}"
    r" (?:of|has|have|contains?|containing|with) (?:\w+ ){0,2}$"
)


def _adjectives(text: str, names: Sequence[str]) -> Iterator[Fact]:
    for match in _SIGNED.finditer(text):
        low = 0 if match["word"].lower().startswith("non") else 1
        if _MANY.search(match["before"]):
            yield Fact("members", frozenset(), low)
        else:
            listed = re.match(rf"(?:[ ,]|and\b|or\b|(?:{'|'.join(map(re.escape, names))})\b)*", match["after"])
            yield Fact("value", _named(listed[0] if listed else "", names), low)


_NEGATIVE = re.compile(
    r"(?<!non-)(?<!non )(?<!no )(?<!not )(?<!without )(?<!any )\bnegative\b"
    r"|\b(?:below|less than|under|smaller than) (?:zero|0)\b|< ?0\b",
    re.IGNORECASE,
)


def tells_of_negatives(docstring: str) -> bool:
    """Does it say what becomes of negative numbers? Then they are meant, although no example shows one."""
    return _NEGATIVE.search(" ".join(docstring.split())) is not None


_NO_NEGATIVE = re.compile(r"\b(?:no|without|not contain(?: any)?) negative\b", re.IGNORECASE)


def _no_negative(text: str, names: Sequence[str]) -> Iterator[Fact]:
    if _NO_NEGATIVE.search(text):
        yield Fact("value", frozenset(), 0)
        yield Fact("members", frozenset(), 0)


def _named(text: str, names: Sequence[str]) -> frozenset[str]:
    return frozenset(name for name in names if re.search(rf"\b{re.escape(name)}\b", text))


_EMPTY = re.compile(r"\bnon-? ?empty\b|\b(?:will|must|should|cannot|can't|never) (?:not )?be empty\b", re.IGNORECASE)


def _non_empty(text: str, names: Sequence[str]) -> Iterator[Fact]:
    if _EMPTY.search(text):
        yield Fact("length", frozenset(), 1)


_LEAST = re.compile(
    rf"(?P<before>.{{0,40}})\bat least {_COUNT} (?:elements?|numbers?|items?|words?|characters?|operands?|values?)\b"
    rf"|(?P<before2>.{{0,40}})\b(?:length|size) (?:of )?(?:is )?at least {_COUNT.replace('count', 'count2')}\b",
    re.IGNORECASE,
)
_EXACTLY = re.compile(rf"\b(?:list|array|tuple) of {_COUNT} (?!or )\w+", re.IGNORECASE)


def _at_least(text: str, names: Sequence[str]) -> Iterator[Fact]:
    for match in _LEAST.finditer(text):
        count = _count(match["count"] or match["count2"])
        yield Fact("length", _named(_clause(match["before"] or match["before2"] or ""), names), count)
    for match in _EXACTLY.finditer(text):
        yield Fact("length", frozenset(), _count(match["count"]), _count(match["count"]))


def _clause(before: str) -> str:
    """What stands directly before, up to a comma or an "and"."""
    return re.split(r"[,.;]| and ", before)[-1]


def _count(word: str) -> int:
    return _COUNTS.get(word.lower()) or int(word)


_LESS = re.compile(r"(?P<before>[^.;]{0,40})\b(?:less|smaller|lower) th[ae]n (?P<high>\d+)\b", re.IGNORECASE)


def _less_than(text: str, names: Sequence[str]) -> Iterator[Fact]:
    for match in _LESS.finditer(text):
        named = _named(_clause(match["before"]), names)
        if named:
            yield Fact("value", named, None, int(match["high"]) - 1)


# --- inequalities ---------------------------------------------------------------------------------

_NUMBER = r"-?\d+(?: ?(?:\^|\*\*) ?\d+)?"
_SUBJECT = r"(?:len\((?P<len>\w+)\)|(?P<name>[A-Za-z_]\w*)(?P<index>(?:\[[^\]]*\])*)(?:\.(?P<part>length|value|size))?)"
_CHAIN = re.compile(rf"(?P<low>{_NUMBER}) ?(?P<first><=|<|≤) ?{_SUBJECT} ?(?P<second><=|<|≤) ?(?P<high>{_NUMBER})?")
_SINGLE = re.compile(rf"\b{_SUBJECT} ?(?P<sign>>=|>|≥|<=|<|≤) ?(?P<bound>{_NUMBER})(?! ?(?:<|>|≤|≥))")
_FLIPPED = re.compile(rf"(?P<bound>{_NUMBER}) ?(?P<sign><=|<|≤) ?{_SUBJECT}(?! ?(?:<|≤))")


def _inequalities(text: str, names: Sequence[str]) -> Iterator[Fact]:
    for match in _CHAIN.finditer(text):
        low = _value(match["low"]) + (match["first"] == "<")
        high = _value(match["high"]) - (match["second"] == "<") if match["high"] else None
        yield from _about(match, names, low, high, alias=high is not None)
    for match in _SINGLE.finditer(text):
        bound, strict = _value(match["bound"]), match["sign"] in "<>"
        if match["sign"] in (">=", ">", "≥"):
            yield from _about(match, names, bound + strict, None)
        else:
            yield from _about(match, names, None, bound - strict)
    for match in _FLIPPED.finditer(text):
        yield from _about(match, names, _value(match["bound"]) + (match["sign"] == "<"), None, alias=True)


def _about(
    match: re.Match[str], names: Sequence[str], low: float | None, high: float | None, alias: bool = False
) -> Iterator[Fact]:
    """A fact about what the inequality names; `alias`: under another name it is everyone's (1 <= nodes.length)."""
    name = match["len"] or match["name"]
    whose = frozenset([name]) if name in names else frozenset()
    if not whose and not (alias and (len(names) == 1 or match["part"])):
        return
    if match["len"] or match["part"] in ("length", "size"):
        yield Fact("length", whose, low, high)
    elif match["index"] or match["part"] == "value":
        yield Fact("members", whose, low, high)
    else:
        yield Fact("value", whose, low, high)


def _value(text: str) -> int:
    base, power, exponent = re.sub(r" ", "", text).replace("**", "^").partition("^")
    return min(int(base) ** int(exponent), 10**12) if power and int(exponent) < 50 else int(base)
