"""The smallest input that still shows a disagreement: what a person is shown instead of what a fuzzer found.

Pure: whether an input still shows it is asked of the caller, many at a time. Smaller means shortlex of the call's text,
as in Hypothesis: shorter first, then alphabetically earlier. The same answers give the same result.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from mpt.spelling import call
from mpt.values import Arguments, Value
from mpt.worker import codec

BATCH = 60
"""Inputs asked about at a time."""
BUDGET = 600
"""Inputs asked about in all."""
StillDiffers = Callable[[Sequence[Arguments]], Sequence[bool]]


def shrink(arguments: Arguments, still_differs: StillDiffers, budget: int = BUDGET) -> Arguments:
    """The smallest arguments found for which `still_differs` holds, origin "shrunk"; the given ones where none are.

    still_differs: one answer an input, in order. At most `budget` inputs are asked about.
    """
    best = arguments
    waiting = _smaller(best)
    while budget > 0 and (batch := waiting[: min(BATCH, budget)]):
        waiting = waiting[len(batch) :]
        budget -= len(batch)
        found = next((one for one, holds in zip(batch, still_differs(batch), strict=True) if holds), None)
        if found is not None:
            best = found
            waiting = _smaller(best)
    return best


def size(arguments: Arguments) -> tuple[int, str]:
    """What arguments are ordered by."""
    text = call("", arguments)
    return len(text), text


def _smaller(arguments: Arguments) -> list[Arguments]:
    """Every smaller call one step away, the smallest first."""
    limit = size(arguments)
    return sorted((one for one in dict.fromkeys(_steps(arguments)) if size(one) < limit), key=size)


def _steps(arguments: Arguments) -> Iterator[Arguments]:
    for index, value in enumerate(arguments.positional):
        for simpler in _values(value):
            positional = (*arguments.positional[:index], simpler, *arguments.positional[index + 1 :])
            yield replace(arguments, positional=positional, origin="shrunk")
    for index, (name, value) in enumerate(arguments.keyword):
        for simpler in _values(value):
            keyword = (*arguments.keyword[:index], (name, simpler), *arguments.keyword[index + 1 :])
            yield replace(arguments, keyword=keyword, origin="shrunk")


def _values(value: Value) -> Iterator[Value]:
    for tree in _simpler(json.loads(value.wire)):
        yield Value(codec.dumps(tree))


# --- one value, as the tree that `mpt.worker.codec` documents -------------------------------------


def _simpler(tree: Any) -> Iterator[Any]:
    """Simpler values of the same type."""
    if isinstance(tree, bool):
        yield False
    elif isinstance(tree, int):
        yield from _integers(tree)
    elif isinstance(tree, float):
        yield from _floats(tree)
    elif isinstance(tree, str):
        yield from _texts(tree)
    elif isinstance(tree, list):
        yield from _sequences(tree)
    elif isinstance(tree, dict):
        yield from _tagged(tree)


def _integers(number: int) -> Iterator[int]:
    yield from (0, 1, 2, abs(number), number // 10, number // 2, number - (1 if number > 0 else -1))


def _floats(number: float) -> Iterator[float]:
    if not math.isfinite(number):
        return
    yield from (0.0, 1.0, abs(number))
    yield from (round(number, digits) for digits in (0, 1, 2))
    if abs(number) < 1e15:
        yield from map(float, _integers(int(number)))


def _texts(text: str) -> Iterator[str]:
    yield from ("".join(kept) for kept in _shorter(text))
    for index, letter in enumerate(text):
        plain = "0" if letter.isdigit() else "A" if letter.isupper() else "a"
        if letter.isalnum() and letter != plain:
            yield text[:index] + plain + text[index + 1 :]


def _sequences(members: list[Any]) -> Iterator[list[Any]]:
    yield from (list(kept) for kept in _shorter(members))
    yield from _one_simpler(members)


def _shorter(whole: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """Without all, a half, a quarter, … down to a single member, at each place."""
    chunk = len(whole)
    while chunk:
        for start in range(0, len(whole), chunk):
            yield [*whole[:start], *whole[start + chunk :]]
        chunk //= 2


def _one_simpler(members: list[Any]) -> Iterator[list[Any]]:
    for index, member in enumerate(members):
        for simpler in _simpler(member):
            yield [*members[:index], simpler, *members[index + 1 :]]


def _tagged(tree: dict[str, Any]) -> Iterator[Any]:
    """Tuples keep their length: it is part of what they are."""
    [(tag, body)] = tree.items()
    if tag == "tuple":
        yield from ({tag: members} for members in _one_simpler(body))
    elif tag in ("set", "frozenset"):
        yield from ({tag: _once(members)} for members in _sequences(body))
    elif tag == "call":
        callee, positional, keyword = body
        yield from ({tag: [callee, members, keyword]} for members in _one_simpler(positional))
        for index, (name, item) in enumerate(keyword):
            for other in _simpler(item):
                yield {tag: [callee, positional, [*keyword[:index], [name, other], *keyword[index + 1 :]]]}
    elif tag == "dict":
        yield from ({tag: list(pairs)} for pairs in _shorter(body))
        yield from ({tag: pairs} for pairs in _simpler_pairs(body))


def _simpler_pairs(pairs: list[Any]) -> Iterator[list[Any]]:
    """With one key or one item simpler; keys stay distinct."""
    for index, (key, item) in enumerate(pairs):
        changed = [*([other, item] for other in _simpler(key)), *([key, other] for other in _simpler(item))]
        for pair in changed:
            found = [*pairs[:index], pair, *pairs[index + 1 :]]
            if len(_once([key for key, _ in found])) == len(found):
                yield found


def _once(members: list[Any]) -> list[Any]:
    """Each member once, in the codec's order."""
    return [json.loads(text) for text in sorted(set(map(codec.dumps, members)))]
