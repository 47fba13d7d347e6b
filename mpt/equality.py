"""When are two outcomes the same answer? True, False, or None where it cannot be told.

Values are compared as data, in our own process, never by code of the program's.

Rule 1: Python's `==`, recursively: 1, 1.0 and True are the same, list and tuple are not, dicts and sets have no order.
Rule 2: numbers of which one is a float are the same within 1e-6 relative or 1e-9 absolute; NaN is the same as NaN.
Rule 3: exceptions are the same when their types are (setting `exceptions`; "any": raising at all is the same).
Rule 4: None as soon as one side was stopped, or holds something opaque where all else is the same; of an object it is
        enough that one attribute can be told.
Rule 5: arguments changed in place count only where the target returns None or the docstring says so; the object that a
        method was called on counts always. Names of the module that were changed count like arguments, and where the
        docstring tells one of them.
Rule 6: the order of an answer's items does not count where the docstring leaves it open.
Rule 7: an iterator gives what a list or tuple of its items gives, where the function is there to be iterated over.
Rule 8: white space at the end of a text and of its lines counts, unless the setting `trailing_space` is off.
Rule 9: where an object lies in memory does not count in a text: `<object at 0x7f…>`.
Rule 10: values of other packages are compared by these packages' own rules (see `mpt.types.comparing`), those that a
         plugin tells of by the plugin's.
"""

from __future__ import annotations

import cmath
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Literal

from mpt.types import comparing
from mpt.types.comparing import all_same
from mpt.values import (
    Evidence,
    Example,
    ForeignType,
    Function,
    Opaque,
    Outcome,
    Prompt,
    Raised,
    Returned,
    Stopped,
    Value,
)
from mpt.worker import codec

Same = comparing.Same


@dataclass(frozen=True, slots=True)
class Equality:
    """What counts as the same. Tolerances are for numbers of which at least one is a float."""

    relative: float = 1e-6
    absolute: float = 1e-9
    exceptions: Literal["any", "type", "message"] = "type"
    mutation: bool = False
    """Whether the arguments as the call left them are part of the answer."""
    state: bool = False
    """Whether the names of the module that the call has changed are."""
    any_order: bool = False
    """Whether a list or an iterator that ends is an answer without order; its items keep theirs inside."""
    receiver: bool = False
    """Whether the first argument is the object a method was called on: as the call left it it is part of the answer."""
    iterated: bool = False
    """Whether an answer counts by what iterating over it gives, be it an iterator, a list or a tuple."""
    types: tuple[ForeignType, ...] = ()
    """Of other packages, as plugins tell of them: their data are compared by the plugins' rules."""
    trailing_space: bool = True
    """Whether white space at the end of a text and of its lines counts."""


DEFAULT = Equality()


def same(left: Outcome, right: Outcome, equality: Equality = DEFAULT) -> Same:
    """Whether two outcomes are the same answer; None: cannot tell. Symmetric; True of a known outcome and itself."""
    match left, right:
        case (Stopped() | Opaque(), _) | (_, Stopped() | Opaque()):
            return None
        case (Returned() as returned, Raised() as raised) | (Raised() as raised, Returned() as returned):
            return equality.iterated and _same_in_the_end(returned, raised, equality)
        case Returned(), Returned():
            answer = same_value(left.value, right.value, equality)
            return answer if answer is False else all_same([answer, *_same_after(left, right, equality)])
        case Raised(), Raised():
            return _same_exception(left, right, equality)
        case _:
            return False


def _same_in_the_end(returned: Returned, raised: Raised, equality: Equality) -> Same:
    """Rule 7: one raised at once, the other may when it is iterated over."""
    tree = codec.parse(returned.value.wire)
    _, items, ended = tree["iterator"] if _kind(tree) == "iterator" else ("", [], True)
    if isinstance(ended, bool) or not _same_exception(Raised(ended), raised, equality):
        return False
    return None if items else True


def _same_after(left: Returned, right: Returned, equality: Equality) -> list[Same]:
    """Rule 5: of the arguments as the call left them. What cannot be seen of an object is no doubt."""
    if equality.any_order:
        equality = replace(equality, any_order=False)
    counted = None if equality.mutation else 1 if equality.receiver else 0
    after = list(zip(left.arguments_after, right.arguments_after, strict=False))[:counted]
    found = [same_value(a, b, equality) for a, b in after]
    if equality.receiver and found:
        found[0] = found[0] is not False
    return [*found, _same_state(left, right, equality)] if equality.state else found


def _same_state(left: Returned, right: Returned, equality: Equality) -> Same:
    """Of the names of the module that the calls have changed."""
    mine, theirs = dict(left.state_after), dict(right.state_after)
    if mine.keys() != theirs.keys():
        return False
    return all_same([same_value(value, theirs[name], equality) for name, value in mine.items()])


def same_value(left: Value, right: Value, equality: Equality = DEFAULT) -> Same:
    """`same` for two values."""
    if left.wire == right.wire and '"opaque"' not in left.wire:
        return True
    mine, theirs = codec.parse(left.wire), codec.parse(right.wire)
    if equality.iterated and _kind(mine) != _kind(theirs):
        mine, theirs = _iterated(mine, theirs), _iterated(theirs, mine)
    if equality.any_order and _kind(mine) == _kind(theirs):
        items, others = _all_items(mine), _all_items(theirs)
        if items is not None and others is not None:
            return _same_unordered([[item] for item in items], [[item] for item in others], equality)
    return _same(mine, theirs, equality)


def _iterated(tree: Any, beside: Any) -> Any:
    """Rule 7: a list or tuple as a list, or as the iterator over it where `beside` is one."""
    items = _items(tree)
    if items is None or _kind(beside) != "iterator":
        return tree if items is None else items
    return {"iterator": ["", items[: codec.MAX_ITEMS], len(items) < codec.MAX_ITEMS]}


def _all_items(tree: Any) -> list[Any] | None:
    """Of a list, or of an iterator that has come to its end. The places of a tuple mean something."""
    match tree:
        case {"iterator": [_, list(items), True]}:
            return items
    return tree if isinstance(tree, list) else None


def gives_items(value: Value) -> bool:
    """Is it told what iterating over it gives?"""
    return _kind(codec.parse(value.wire)) in ("list", "tuple", "iterator")


def _kind(tree: Any) -> str:
    return next(iter(tree)) if isinstance(tree, dict) else type(tree).__name__


def _items(tree: Any) -> list[Any] | None:
    """Of a list or tuple."""
    if isinstance(tree, dict):
        return tree.get("tuple")
    return tree if isinstance(tree, list) else None


def of_function(function: Function, evidence: Evidence, types: tuple[ForeignType, ...] = ()) -> Equality:
    """What counts as the same for one function: rules 5, 6, 7 and 10."""
    bound = function.place is not None and function.place.bound
    return replace(of_prompt(function.prompt, evidence), receiver=bound, types=types)


def of_prompt(prompt: Prompt, evidence: Evidence) -> Equality:
    """`of_function` for one that is no method."""
    return Equality(
        mutation=counts_mutation(prompt.description, evidence.target),
        state=counts_state(prompt.description, evidence.target),
        any_order=leaves_order_open(prompt.description),
        iterated=is_iterated(prompt, evidence.examples),
    )


def leaves_order_open(description: str) -> bool:
    """Whether the description says that the order of what comes back does not matter; it may say so of what goes in."""
    sentences = re.split(r"(?<=[.;:!?])\s+", " ".join(description.lower().split()))
    return any(_OPEN_ORDER.search(one) and _ANSWERS.search(one) and not _GIVEN.search(one) for one in sentences)


_OPEN_ORDER = re.compile(
    r"in (any|no particular|arbitrary) order|order (does not|doesn't) matter|regardless of (the )?order"
    r"|order is (not important|irrelevant|arbitrary)"
)
_ANSWERS = re.compile(r"\b(returns?|returned|returning|yields?|results?|outputs?|gives?|produces?|generates?|lists?)\b")
_GIVEN = re.compile(
    r"\b(given|inputs?|arguments?|parameters?|passed|takes?|accepts?|sort(s|ed|ing)?|may (be|come)|can be)\b"
)


def is_iterated(prompt: Prompt, examples: Sequence[Example]) -> bool:
    """Rule 7: whether the function is there to be iterated over.

    Its examples say so, else its annotation; without either it may be, unless the description promises a list or tuple.
    """
    if any(example.iterated for example in examples):
        return True
    if any(example.expected is not None for example in examples):
        return False
    returns = re.search(r"->\s*(.+?)\s*:\s*$", prompt.signature, re.DOTALL)
    if returns is not None:
        return re.search(r"\b(Async)?(Iterator|Iterable|Generator)\b", returns[1]) is not None
    return re.search(r"\breturns?\b[^.]{0,30}\b(lists?|tuples?)\b", prompt.description.lower()) is None


def counts_mutation(description: str, target: Sequence[Outcome]) -> bool:
    """Rule 5: whether the arguments as the call left them are part of the answer.

    So it is where every call that returned gave None, or the description speaks of working in place.
    """
    returned = [outcome.value.wire for outcome in target if isinstance(outcome, Returned)]
    said = any(word in description.lower() for word in ("in place", "in-place", "inplace"))
    return said or (bool(returned) and set(returned) == {"null"})


def counts_state(description: str, target: Sequence[Outcome]) -> bool:
    """Rule 5: whether the names of the module that a call has changed are part of the answer."""
    changed = {name for outcome in target if isinstance(outcome, Returned) for name, _ in outcome.state_after}
    words = set(re.findall(r"[\w.]+", description))
    return counts_mutation(description, target) or bool(changed & {word.rstrip(".") for word in words})


def _same_exception(left: Raised, right: Raised, equality: Equality) -> bool:
    if equality.exceptions == "any":
        return True
    if equality.exceptions == "message":
        return left == right
    return left.type_name == right.type_name


def _same(left: Any, right: Any, equality: Equality) -> Same:
    if _opaque(left) or _opaque(right):
        return None
    a, b = _number(left), _number(right)
    if a is not None and b is not None:
        return _same_number(a, b, equality)
    if isinstance(left, dict) and isinstance(right, dict):
        return _same_tagged(left, right, equality)
    if isinstance(left, list) and isinstance(right, list):
        return _same_sequence(left, right, equality)
    if isinstance(left, str) and isinstance(right, str):
        return left == right or _plain(left, equality) == _plain(right, equality)
    return type(left) is type(right) and bool(left == right)


def _plain(text: str, equality: Equality) -> str:
    """Rules 8 and 9."""
    text = re.sub(r"\bat 0x[0-9a-fA-F]+", "at 0x…", text)
    return text if equality.trailing_space else "\n".join(line.rstrip() for line in text.splitlines()).rstrip()


def _opaque(tree: Any) -> bool:
    return isinstance(tree, dict) and "opaque" in tree


def _number(tree: Any) -> Any:
    """The number a tree stands for, None for what is not a number."""
    if isinstance(tree, bool | int | float):
        return tree
    if isinstance(tree, dict) and tree.keys() <= {"int", "complex", "decimal", "fraction"}:
        number = codec.build(tree)
        return Decimal("NaN") if isinstance(number, Decimal) and number.is_nan() else number
    return None


def _same_number(left: Any, right: Any, equality: Equality) -> bool:
    if left == right:
        return True
    if isinstance(left, complex) or isinstance(right, complex):
        return (left != left and right != right) or _close(cmath.isclose, left, right, equality)
    if isinstance(left, float) or isinstance(right, float):
        return (left != left and right != right) or _close(math.isclose, left, right, equality)
    return bool(left != left and right != right)  # Decimal's NaN


def _close(isclose: Callable[..., bool], left: Any, right: Any, equality: Equality) -> bool:
    try:
        return isclose(left, right, rel_tol=equality.relative, abs_tol=equality.absolute)
    except (OverflowError, TypeError):  # an integer beyond every float; a complex beside a Decimal
        return False


def _same_sequence(left: list[Any], right: list[Any], equality: Equality) -> Same:
    if len(left) != len(right):
        return False
    return all_same(_same(a, b, equality) for a, b in zip(left, right, strict=True))


_SETS = {"set", "frozenset"}
_SEQUENCES = {"tuple", "deque"}


def _same_tagged(left: dict[str, Any], right: dict[str, Any], equality: Equality) -> Same:
    [(tag, a)], [(other, b)] = left.items(), right.items()
    if {tag, other} <= comparing.MOMENTS:
        return comparing.same_moment(tag, a, other, b)
    if {tag, other} <= comparing.SPANS:
        return comparing.same_span(a, b)
    if tag == other == "foreign":
        return a[0] == b[0] and _same_foreign(a, b, equality)
    if tag == other and tag in comparing.RULES:
        return comparing.RULES[tag](a, b, _each(equality))
    if tag != other and not {tag, other} <= _SETS:
        return False
    if tag in _SETS:
        return _same_unordered([[item] for item in a], [[item] for item in b], equality)
    if tag == "dict":
        return _same_unordered(a, b, equality)
    if tag == "record":
        return a[0] == b[0] and _same_sequence(a[1], b[1], equality)
    if tag == "object":
        return a[0] == b[0] and _same_object(a[1], b[1], equality)
    if tag == "iterator":
        return a[2] == b[2] and _same_sequence(a[1], b[1], equality)
    if tag == "range":
        return bool(codec.build(left) == codec.build(right))
    return _same_sequence(a, b, equality) if tag in _SEQUENCES else bool(a == b)


def _same_foreign(left: list[Any], right: list[Any], equality: Equality) -> Same:
    """Bodies of one type. None where its rule fails, or depends on which of the two comes first."""
    name, mine = left
    rule = next((one.same for one in equality.types if one.name == name), None)
    if rule is None:
        return _same(mine, right[1], equality)
    try:
        data = codec.build(mine), codec.build(right[1])
        answers = {rule(*data), rule(*reversed(data))}
    except Exception:  # somebody else's code; or data that are not plain
        return None
    return answers.pop() if answers in ({True}, {False}) else None


def _each(equality: Equality) -> comparing.Each:
    """Compares what is inside another package's value, within the wider tolerances."""
    known: dict[tuple[float, float], Equality] = {}

    def each(left: Any, right: Any, relative: float, absolute: float) -> Same:
        within = max(relative, equality.relative), max(absolute, equality.absolute)
        if within not in known:
            known[within] = replace(equality, relative=within[0], absolute=within[1])
        return _same(left, right, known[within])

    return each


def _same_object(left: list[Any], right: list[Any], equality: Equality) -> Same:
    """By their attributes, `[name, value]` sorted; one that cannot be told does not count where another is the same."""
    if [name for name, _ in left] != [name for name, _ in right]:
        return False
    found = [_same(a, b, equality) for (_, a), (_, b) in zip(left, right, strict=True)]
    return True if True in found and False not in found else all_same(found)


def _same_unordered(left: list[Any], right: list[Any], equality: Equality) -> Same:
    """Members (or key-value pairs) matched one to one: those spelt alike, then each with the best that is left."""
    if len(left) != len(right):
        return False
    mine, theirs = Counter(map(codec.dumps, left)), Counter(map(codec.dumps, right))
    unmatched = [json.loads(text) for text in (mine - theirs).elements()]
    remaining = [json.loads(text) for text in (theirs - mine).elements()]
    answers: list[Same] = [None for text in mine & theirs if '"opaque"' in text]
    if len(unmatched) > _MOST_MATCHED:
        in_order = _same_sequence(sorted(unmatched, key=codec.dumps), sorted(remaining, key=codec.dumps), equality)
        rounded = any(re.search(r"\d\.\d|\de-?\d", codec.dumps(one)) for one in unmatched)
        return all_same([*answers, None if rounded and not in_order else in_order])
    for item in unmatched:
        found = [_same_sequence(item, other, equality) for other in remaining]
        best = max(range(len(found)), key=lambda i: _PREFERENCE[found[i]])
        answers.append(found[best])
        del remaining[best]
    return all_same(answers)


_MOST_MATCHED = 300
"""Beyond this many members spelt differently they are compared in the order of their texts: matching is quadratic. Of
numbers that are all but the same that order tells nothing."""
_PREFERENCE: dict[Same, int] = {True: 2, None: 1, False: 0}
