"""Which recorded programs are targets and which are their witnesses: `experiments/*.toml`.

name = "gpt-4, five paraphrase programs of five models"
min_programs = 3                 # fewest comparable witnesses that say anything
subsets = 10                     # with `reworded`: so many random subsets, each a row of its own
[target]                         # every record that has all of these
source = "humaneval-results"
model = "gpt-4"
[[witness]]                      # records of the target's task that have all of these, or
model = "chatgpt"
relation = "concise"
[[witness]]
same_model_other_samples = 5     # the next five samples of the target's own model, cyclically, or
[[witness]]
reworded = 5                     # five of the task's records that come from a reworded docstring, drawn at random
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from mpt.errors import UsageError
from mpt.evaluation.records import Record

_SELECTORS: dict[str, type] = {"source": str, "model": str, "relation": str, "sample": int}
_COUNTS = ("same_model_other_samples", "reworded")


@dataclass(frozen=True, slots=True)
class Selector:
    """Records whose fields have all these values."""

    wanted: tuple[tuple[str, object], ...]

    def matches(self, record: Record) -> bool:
        return all(getattr(record, name) == value for name, value in self.wanted)

    def __str__(self) -> str:
        return ", ".join(f"{name} = {value!r}" for name, value in self.wanted)


@dataclass(frozen=True, slots=True)
class Experiment:
    """One experiment. label: the file's stem, by which its rows are known."""

    label: str
    name: str
    target: Selector
    witnesses: tuple[Selector, ...] = ()
    same_model_other_samples: int = 0
    reworded: int = 0
    subsets: int = 1
    min_programs: int = 3
    inputs: int | None = None

    @property
    def asked(self) -> int:
        """Witnesses a target should have."""
        return len(self.witnesses) + self.same_model_other_samples + self.reworded


@dataclass(frozen=True, slots=True)
class Trial:
    """One target with its witnesses.

    subset: which random choice of witnesses this is.
    fuzzed_with: the programs its inputs are made to split; where witnesses are drawn from many, all of these, so that
    every number of witnesses meets the same inputs.
    inputs: how many of the fuzzed ones to use, None: all.
    """

    target: Record
    witnesses: tuple[Record, ...]
    subset: int = 0
    fuzzed_with: tuple[Record, ...] = ()
    inputs: int | None = None


@dataclass(frozen=True, slots=True)
class TaskRecords:
    """The records of one task, in the order of the file."""

    task_id: str
    rows: tuple[Record, ...]
    by_model: dict[tuple[str, str, str], tuple[Record, ...]] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        groups: dict[tuple[str, str, str], list[Record]] = {}
        for row in self.rows:
            groups.setdefault((row.source, row.model, row.relation), []).append(row)
        ordered = {key: tuple(sorted(rows, key=lambda row: row.sample)) for key, rows in groups.items()}
        object.__setattr__(self, "by_model", ordered)


def trials(experiment: Experiment, task: TaskRecords, seed: int) -> list[Trial]:
    """The experiment's trials on one task. They depend on seed, task and experiment, never on a policy."""
    targets = [row for row in task.rows if experiment.target.matches(row)]
    return [
        _trial(experiment, task, target, subset, seed) for subset in range(experiment.subsets) for target in targets
    ]


def _trial(experiment: Experiment, task: TaskRecords, target: Record, subset: int, seed: int) -> Trial:
    named = [row for wanted in experiment.witnesses for row in task.rows if wanted.matches(row) and row is not target]
    fixed = (*named, *next_samples(task, target, experiment.same_model_other_samples))
    pool = [row for row in task.rows if row.relation != "original" and row is not target] if experiment.reworded else []
    random = Random(f"{seed} {task.task_id} {experiment.reworded} {subset}")  # every target of a task draws the same
    drawn = random.sample(pool, min(experiment.reworded, len(pool)))
    return Trial(target, _once(*fixed, *drawn), subset, _once(*fixed, *pool), experiment.inputs)


def _once(*rows: Record) -> tuple[Record, ...]:
    return tuple(dict.fromkeys(rows))


def next_samples(task: TaskRecords, target: Record, count: int) -> tuple[Record, ...]:
    """The next `count` samples of the target's own source, model and relation, cyclically."""
    own = task.by_model[target.source, target.model, target.relation]
    at = own.index(target)
    return (own[at + 1 :] + own[:at])[:count]


# --- the TOML file --------------------------------------------------------------------------------


def read_experiment(path: Path) -> Experiment:
    """Raises UsageError with the file and the key that is wrong."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"{path}: no such file") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path}: cannot be read as an experiment ({error})") from None
    _only(path, table, {"name", "min_programs", "subsets", "inputs", "target", "witness"})
    blocks = table.get("witness", [])
    if not isinstance(blocks, list) or not all(isinstance(block, dict) for block in blocks) or not blocks:
        raise UsageError(f"{path}: wants at least one [[witness]]")
    counted = [block for block in blocks if block.keys() & set(_COUNTS)]
    counts = {name: sum(_count(path, block, name) for block in counted) for name in _COUNTS}
    return Experiment(
        label=path.stem,
        name=_text(path, table.get("name", path.stem)),
        target=_selector(path, "[target]", table.get("target")),
        witnesses=tuple(_selector(path, "[[witness]]", block) for block in blocks if block not in counted),
        subsets=_positive(path, "subsets", table.get("subsets", 1)),
        min_programs=_positive(path, "min_programs", table.get("min_programs", 3)),
        inputs=_positive(path, "inputs", table["inputs"]) if "inputs" in table else None,
        **counts,
    )


def _selector(path: Path, where: str, block: Any) -> Selector:
    if not isinstance(block, dict) or not block:
        raise UsageError(f"{path}: {where} wants at least one of {', '.join(_SELECTORS)}")
    _only(path, block, set(_SELECTORS))
    for name, value in block.items():
        if type(value) is not _SELECTORS[name]:
            raise UsageError(f"{path}: {where} {name!r} wants {_SELECTORS[name].__name__}, not {value!r}")
    return Selector(tuple(block.items()))


def _count(path: Path, block: dict[str, Any], name: str) -> int:
    if len(block) != 1:
        raise UsageError(f"{path}: a [[witness]] with {' or '.join(map(repr, _COUNTS))} has nothing else in it")
    return _positive(path, name, block[name]) if name in block else 0


def _positive(path: Path, name: str, value: Any) -> int:
    if type(value) is not int or value < 1:
        raise UsageError(f"{path}: {name!r} wants a whole number from 1, not {value!r}")
    return value


def _text(path: Path, value: Any) -> str:
    if not isinstance(value, str):
        raise UsageError(f"{path}: 'name' wants a text, not {value!r}")
    return value


def _only(path: Path, table: dict[str, Any], known: set[str]) -> None:
    for name in table:
        if name not in known:
            raise UsageError(f"{path}: unknown key {name!r} (known: {', '.join(sorted(known))})")
