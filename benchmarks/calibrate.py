"""The numbers of the policy `default`: fitted, checked out of fold, and each ingredient's worth.

    python benchmarks/calibrate.py --programs P.jsonl.gz --experiment E.toml … --truth T.jsonl.gz --out DIR

Runs `mpt evaluate`'s steps in DIR (or goes on there), then fits. Prints the fitted numbers, the tasks they are fitted
to, and a table: all ingredients, and each one off. Curves go to DIR/calibration.html.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from pathlib import Path

import click

from mpt.evaluation import metrics
from mpt.evaluation.calibration import Sample, fit, out_of_fold
from mpt.evaluation.experiments import read_experiment
from mpt.evaluation.folder import write_whole
from mpt.evaluation.gather import Unwatched
from mpt.evaluation.grid import loads
from mpt.evaluation.judging import equality_for, evidence_of
from mpt.evaluation.metrics import Judged
from mpt.evaluation.run import Outcome, Plan, run
from mpt.evaluation.spread import open_spread
from mpt.reporting import as_html, as_markdown
from mpt.reporting.document import Document, Plot, Section, Series, Table, Text
from mpt.settings import Settings
from mpt.validation import Weights
from mpt.validation.comparing import Comparison
from mpt.validation.default import probability
from mpt.validation.signals import Hearing

FILE = click.Path(path_type=Path, dir_okay=False, exists=True)
OFF: dict[str, tuple[dict[str, float], tuple[str, ...]]] = {
    "everything": ({}, ()),
    "without the difference set": ({}, ("differing",)),
    "without agreement on one answer": ({}, ("peak",)),
    "without examples against the target": ({}, ("example",)),
    "poor witnesses count in full": ({"poor": 1.0}, ()),
    "copies count in full": ({"copies": 1.01}, ()),
    "one of one is five of five": ({"doubt": 0.0}, ()),
}
"""What is switched off: numbers that are set otherwise, and signals that are set to 0."""


@dataclass(frozen=True)
class Fitted:
    """One row of the table. judged: in sample; unseen: out of fold."""

    weights: Weights
    judged: dict[str, list[Judged]]
    unseen: dict[str, list[Judged]]


@click.command()
@click.option("--programs", required=True, type=FILE)
@click.option("--experiment", "experiments", multiple=True, required=True, type=FILE)
@click.option("--truth", required=True)
@click.option("--out", required=True, type=click.Path(path_type=Path, file_okay=False))
@click.option("--processes", type=click.IntRange(1), default=os.cpu_count() or 1)
def main(programs: Path, experiments: tuple[Path, ...], truth: str, out: Path, processes: int) -> None:
    plan = Plan(programs, tuple(map(read_experiment, experiments)), ("majority",), (truth,), Settings(fuzzer="loop"))
    with open_spread(processes) as spread:
        outcome = run(plan, out, spread, Unwatched())
    rows = {name: _fitted(outcome, replace(Weights(), **numbers), off) for name, (numbers, off) in OFF.items()}
    document = _document(rows, outcome)
    write_whole(out / "calibration.html", as_html.dumps(document))
    click.echo(as_markdown.dumps(document))
    numbers = {field.name: getattr(rows["everything"].weights, field.name) for field in fields(Weights)}
    click.echo(json.dumps(numbers))


def _fitted(outcome: Outcome, start: Weights, off: tuple[str, ...]) -> Fitted:
    samples = list(_samples(outcome, start, off))
    weights = fit(samples, start)
    inside = [probability(one.signals, weights) for one in samples]
    return Fitted(weights, _judged(samples, inside), _judged(samples, out_of_fold(samples, start)))


def _samples(outcome: Outcome, weights: Weights, off: tuple[str, ...]) -> Iterator[Sample]:
    [right] = outcome.right.values()
    for one in outcome.selection.tasks:
        grid = loads(outcome.evidence[one.task.task_id])
        for experiment, trials in one.trials:
            for trial in trials:
                evidence = evidence_of(one.task, grid, trial)
                seen = Comparison(evidence, equality_for(one.task, evidence))
                if len(seen.comparable) >= experiment.min_programs and trial.target.line in right:
                    signals = replace(Hearing(seen, weights).signals, **dict.fromkeys(off, 0.0))
                    yield Sample(experiment.label, one.task.task_id, signals, not right[trial.target.line].right)


def _judged(samples: list[Sample], chances: list[float]) -> dict[str, list[Judged]]:
    found: dict[str, list[Judged]] = {}
    for one, chance in zip(samples, chances, strict=True):
        reported = chance >= Weights().balanced
        found.setdefault(one.experiment, []).append(Judged(one.task_id, one.wrong, reported, chance, chance))
    return found


def _document(rows: dict[str, Fitted], outcome: Outcome) -> Document:
    tasks = ", ".join(one.task.task_id for one in outcome.selection.tasks)
    everything = rows["everything"]
    plots = [_reliability(label, judged) for label, judged in everything.unseen.items()]
    return Document(
        "The numbers of default",
        (
            Section("Fitted to", (Text(f"{len(outcome.selection.tasks)} tasks, each once an experiment: {tasks}"),)),
            Section("What each ingredient is worth", (Text(_WORDS), _table(rows))),
            Section("Reliability, out of fold", tuple(plots)),
        ),
    )


_WORDS = (
    "Over the targets that were judged. In sample, then out of fold (five folds by task; AUROC there pools five fits, "
    "whose bases differ, and so errs low)."
)


def _table(rows: dict[str, Fitted]) -> Table:
    head = ("", "experiment", "auroc", "recall at fpr 0.05", "brier", "auroc, oof", "recall at 0.05, oof", "brier, oof")
    body = [
        (name, label, *_measures(fitted.judged[label]), *_measures(fitted.unseen[label]))
        for name, fitted in rows.items()
        for label in fitted.judged
    ]
    return Table(head, tuple(body))


def _measures(judged: list[Judged]) -> tuple[str, ...]:
    found = (metrics.auroc(judged), metrics.recall_at(judged, 0.05), metrics.brier(judged))
    return tuple("–" if value is None else f"{value:.3f}" for value in found)


def _reliability(label: str, judged: list[Judged]) -> Plot:
    points = tuple((part.said, part.seen) for part in metrics.reliability(judged))
    even = Series("what it says is so", ((0.0, 0.0), (1.0, 1.0)), "dashed")
    return Plot(label, "probability said", "share that is wrong", (Series("default", points), even))


if __name__ == "__main__":
    main()
