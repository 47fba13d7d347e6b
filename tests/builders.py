"""Short ways to build values in tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mpt.spelling import value_of
from mpt.values import Arguments, Evidence, Example, Opaque, Origin, Outcome, Program, Raised, Returned, Stopped


class Unknown:
    """What no codec carries."""


def returned(value: object) -> Returned:
    return Returned(value_of(value))


def outcome(spec: object) -> Outcome:
    """An outcome as a test writes it: an exception class, "stopped", "opaque", an Outcome, or the value returned."""
    if isinstance(spec, Returned | Raised | Stopped | Opaque):
        return spec
    if isinstance(spec, type) and issubclass(spec, BaseException):
        return Raised(spec.__name__)
    if spec == "stopped":
        return Stopped("time")
    return Opaque("Unknown") if spec == "opaque" else returned(spec)


def arguments(*values: object) -> Arguments:
    return Arguments(tuple(map(value_of, values)))


def program(source: str = "", number: int = 0) -> Program:
    role = "paraphrase" if number else "target"
    return Program(source, "f", Origin(role, paraphrase=number))


def evidence(target: Sequence[object], *others: Sequence[object], examples: Sequence[Example] = ()) -> Evidence:
    """Rows of outcomes on the inputs f(0), f(1), …; the first row is the target's."""
    rows = (target, *others)
    return Evidence(
        tuple(program(number=number) for number in range(len(rows))),
        tuple(arguments(number) for number in range(len(target))),
        tuple(tuple(outcome(spec) for spec in row) for row in rows),
        tuple(examples),
    )


def distinct(seen: Evidence) -> Evidence:
    """The same, its programs no copies of one another."""
    sources = [f"{chr(97 + n)}{' + 1' * n}" for n in range(len(seen.programs))]
    programs = [replace(one, source=source) for one, source in zip(seen.programs, sources, strict=True)]
    return replace(seen, programs=tuple(programs))


def example(number: int, expected: object) -> Example:
    """The docstring says f(number) == expected."""
    return Example(arguments(number), value_of(expected))
