"""What every program of a task did on every input of that task: the evidence all experiments and policies share.

A task's programs are run once each, by text, on all its inputs together. The evidence on one target is the target's row
and its witnesses' rows, at the inputs that were made for the target beside those programs.

As one line of JSON, values in the codec's own spelling, each outcome written once:

    {"task_id", "programs": [text, ..],
     "inputs": [[positional, keyword, origin, engine], ..],
     "examples": [[positional, keyword, expected, raises], ..],
     "outcomes": [["returned", value, arguments after], ["raised", type, message], ["stopped", cause, detail], ..],
     "table": [[index into outcomes, ..], ..]     table[program][input]
     "inputs_of": [[[target, other program, ..], [input, ..]], ..]
     "notes": [text, ..]}
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from mpt.values import (
    Arguments,
    Evidence,
    Example,
    Opaque,
    Origin,
    Outcome,
    Program,
    Raised,
    Returned,
    Stopped,
    Value,
)


@dataclass(frozen=True, slots=True)
class Grid:
    """`outcomes[p][i]`; `inputs_of[target, *others]` are the inputs made for a target beside others, all as indices."""

    task_id: str
    programs: tuple[str, ...]
    inputs: tuple[Arguments, ...]
    outcomes: tuple[tuple[Outcome, ...], ...]
    inputs_of: dict[tuple[int, ...], tuple[int, ...]]
    examples: tuple[Example, ...] = ()
    notes: tuple[str, ...] = ()


def evidence_on(
    grid: Grid, target: str, witnesses: Sequence[str], fuzzed_with: Sequence[str], entry_point: str
) -> Evidence:
    """The evidence on one target, by texts. Raises ValueError, KeyError where that was not run."""
    rows = indices(grid.programs, target, witnesses)
    at = grid.inputs_of[fuzzing(grid.programs, target, fuzzed_with)]
    programs = [Program(target, entry_point, Origin("target"))]
    programs += [Program(text, entry_point, Origin("paraphrase", paraphrase=n)) for n, text in enumerate(witnesses)]
    return Evidence(
        tuple(programs),
        tuple(grid.inputs[i] for i in at),
        tuple(tuple(grid.outcomes[p][i] for i in at) for p in rows),
        grid.examples,
    )


def indices(programs: Sequence[str], target: str, others: Sequence[str]) -> tuple[int, ...]:
    return tuple(programs.index(text) for text in (target, *others))


def fuzzing(programs: Sequence[str], target: str, others: Sequence[str]) -> tuple[int, ...]:
    """The key of `inputs_of`: equal texts split no input twice."""
    return tuple(dict.fromkeys(indices(programs, target, others)))


# --- as JSON --------------------------------------------------------------------------------------


def dumps(grid: Grid) -> str:
    numbers: dict[Outcome, int] = {}
    table = [[numbers.setdefault(outcome, len(numbers)) for outcome in row] for row in grid.outcomes]
    entry = {
        "task_id": grid.task_id,
        "programs": grid.programs,
        "inputs": [[*_call(one), one.origin, one.engine] for one in grid.inputs],
        "examples": [[*_call(one.arguments), one.expected and one.expected.wire, one.raises] for one in grid.examples],
        "outcomes": [_outcome(outcome) for outcome in numbers],
        "table": table,
        "inputs_of": [[programs, at] for programs, at in grid.inputs_of.items()],
        "notes": grid.notes,
    }
    return json.dumps(entry, separators=(",", ":"))


def loads(line: str) -> Grid:
    """Raises ValueError, KeyError or TypeError for what `dumps` did not write."""
    entry = json.loads(line)
    outcomes = [_read_outcome(one) for one in entry["outcomes"]]
    return Grid(
        entry["task_id"],
        tuple(entry["programs"]),
        tuple(Arguments(*_read_call(one), *one[2:]) for one in entry["inputs"]),
        tuple(tuple(outcomes[number] for number in row) for row in entry["table"]),
        {tuple(programs): tuple(at) for programs, at in entry["inputs_of"]},
        tuple(_read_example(one) for one in entry["examples"]),
        tuple(entry["notes"]),
    )


def _call(arguments: Arguments) -> list[Any]:
    return [
        [value.wire for value in arguments.positional],
        [[name, value.wire] for name, value in arguments.keyword],
    ]


def _read_call(entry: Sequence[Any]) -> tuple[tuple[Value, ...], tuple[tuple[str, Value], ...]]:
    positional, keyword = entry[:2]
    return _values(positional), tuple((name, Value(wire)) for name, wire in keyword)


def _read_example(entry: Sequence[Any]) -> Example:
    expected, raises = entry[2:]
    arguments = Arguments(*_read_call(entry), origin="example")
    return Example(arguments, None if expected is None else Value(expected), raises)


def _outcome(outcome: Outcome) -> list[Any]:
    match outcome:
        case Returned(value, after):
            return ["returned", value.wire, [one.wire for one in after]]
        case Raised(type_name, message):
            return ["raised", type_name, message]
        case Stopped(cause, detail):
            return ["stopped", cause, detail]
        case Opaque(type_name):
            return ["opaque", type_name]


def _read_outcome(entry: Sequence[Any]) -> Outcome:
    kind, *rest = entry
    if kind == "returned":
        return Returned(Value(rest[0]), _values(rest[1]))
    return {"raised": Raised, "stopped": Stopped, "opaque": Opaque}[kind](*rest)  # type: ignore[no-any-return]


def _values(wires: Iterable[str]) -> tuple[Value, ...]:
    return tuple(map(Value, wires))
