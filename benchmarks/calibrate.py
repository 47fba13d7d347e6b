"""The numbers of the policy `default`: fitted, checked out of fold, and each ingredient's worth.

    python benchmarks/calibrate.py --programs P.jsonl.gz --experiment E.toml … --truth T.jsonl.gz --out DIR

Runs `mpt evaluate`'s steps in DIR (or goes on there), then fits. Prints the tasks fitted to, a table (all ingredients,
and each one off), from which probability on each word of the sensitivity warns, and the numbers. Curves go to
DIR/calibration.html.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

import click

from mpt.evaluation import metrics
from mpt.evaluation.calibration import Sample, fit, out_of_fold, warn_from
from mpt.evaluation.experiments import Experiment, read_experiment
from mpt.evaluation.folder import write_whole
from mpt.evaluation.gather import Unwatched
from mpt.evaluation.grid import loads
from mpt.evaluation.judging import equality_for, evidence_of
from mpt.evaluation.metrics import Judged
from mpt.evaluation.run import Outcome, Plan, run
from mpt.evaluation.spread import open_spread
from mpt.reporting import as_html, as_markdown
from mpt.reporting.document import Document, Plot, Section, Series, Table, Text
from mpt.settings import PATIENT_EXECUTIONS, Settings
from mpt.validation import Thresholds, Weights
from mpt.validation.comparing import Comparison
from mpt.validation.default import no_program, probability
from mpt.validation.refusals import Considerate
from mpt.validation.signals import Hearing, Signals

FILE = click.Path(path_type=Path, dir_okay=False, exists=True)


@dataclass(frozen=True)
class Off:
    """What an ablation switches off: numbers that are set otherwise, signals that are set to 0, judging without one."""

    numbers: dict[str, float] = field(default_factory=dict)
    signals: tuple[str, ...] = ()
    parsing: bool = False


ABLATIONS = {
    "everything": Off(),
    "without the difference set": Off(signals=("differing",)),
    "without agreement on one answer": Off(signals=("peak",)),
    "without examples against the target": Off(signals=("example",)),
    "poor witnesses count in full": Off({"poor": 1.0}),
    "copies count in full": Off({"copies": 1.01}),
    "one of one is five of five": Off({"doubt": 1e-9}),
    "what cannot be parsed is not judged": Off(parsing=True),
}
ALLOWED = {"quiet": 0.01, "balanced": 0.05}
"""False positive rates, out of fold, that the words stand for; `thorough` may accuse as often as majority does."""


@dataclass(frozen=True)
class Case:
    """One target. seen: None where too few programs can be compared. no_program: it cannot be parsed."""

    experiment: str
    task_id: str
    wrong: bool
    seen: Comparison | None
    no_program: bool


@dataclass(frozen=True)
class Fitted:
    """One row of the table. judged: in sample; unseen: out of fold. Both by experiment."""

    weights: Weights
    judged: dict[str, list[Judged]]
    unseen: dict[str, list[Judged]]


@click.command()
@click.option("--programs", required=True, type=FILE)
@click.option("--experiment", "experiments", multiple=True, required=True, type=FILE, help="The first sets the words.")
@click.option("--truth", required=True)
@click.option("--out", required=True, type=click.Path(path_type=Path, file_okay=False))
@click.option("--processes", type=click.IntRange(1), default=os.cpu_count() or 1)
def main(programs: Path, experiments: tuple[Path, ...], truth: str, out: Path, processes: int) -> None:
    settings = Settings(fuzzer="loop", fuzz_executions=PATIENT_EXECUTIONS)
    plan = Plan(programs, tuple(map(read_experiment, experiments)), ("majority",), (truth,), settings)
    with open_spread(processes) as spread:
        outcome = run(plan, out, spread, Unwatched())
    cases = list(_cases(outcome))
    rows = {name: _fitted(cases, off) for name, off in ABLATIONS.items()}
    words = _words(rows["everything"].unseen[plan.experiments[0].label], outcome.scored[0].fpr or 0.0)
    document = _document(rows, words, outcome)
    write_whole(out / "calibration.html", as_html.dumps(document))
    click.echo(as_markdown.dumps(document))
    numbers = {one.name: getattr(rows["everything"].weights, one.name) for one in fields(Weights)}
    click.echo(json.dumps({**numbers, **words}))


def _words(unseen: list[Judged], majority_fpr: float) -> dict[str, float]:
    """From which probability on each word warns."""
    return {word: warn_from(unseen, allowed) for word, allowed in {**ALLOWED, "thorough": majority_fpr}.items()}


def _fitted(cases: list[Case], off: Off) -> Fitted:
    start = replace(Weights(), **off.numbers)
    heard = {id(case.seen): _signals(case.seen, start, off) for case in _distinct(cases) if case.seen is not None}
    samples = {
        n: Sample(case.experiment, case.task_id, heard[id(case.seen)], case.wrong)
        for n, case in enumerate(cases)
        if case.seen is not None
    }
    weights = fit(list(samples.values()), start)
    inside = [probability(one.signals, weights) for one in samples.values()]
    outside = out_of_fold(list(samples.values()), start)
    certain = {n: 1.0 for n, case in enumerate(cases) if case.no_program and not off.parsing}
    judged, unseen = (dict(zip(samples, chances, strict=True)) | certain for chances in (inside, outside))
    return Fitted(weights, _judged(cases, judged), _judged(cases, unseen))


def _cases(outcome: Outcome) -> Iterator[Case]:
    """Trials with the same programs share one comparison."""
    [right] = outcome.right.values()
    for one in outcome.selection.tasks:
        grid = loads(outcome.evidence[one.task.task_id])
        made: dict[tuple[str, ...], Comparison] = {}
        for experiment, trials in one.trials:
            for trial in (trial for trial in trials if trial.target.line in right):
                texts = (trial.target.program, *(w.program for w in trial.witnesses), experiment.label)
                if texts not in made:
                    evidence = evidence_of(one.task, grid, trial)
                    made[texts] = Considerate(evidence, equality_for(one.task, evidence))
                yield _case(experiment, one.task.task_id, not right[trial.target.line].right, made[texts])


def _case(experiment: Experiment, task_id: str, wrong: bool, seen: Comparison) -> Case:
    thresholds = Thresholds(min_programs=experiment.min_programs)
    told = seen.too_few(thresholds) is None and not Hearing(seen, Weights()).refuted
    return Case(experiment.label, task_id, wrong, seen if told else None, no_program(seen, thresholds) is not None)


def _distinct(cases: list[Case]) -> Iterable[Case]:
    """One of those that share a comparison."""
    return {id(case.seen): case for case in cases}.values()


def _signals(seen: Comparison, weights: Weights, off: Off) -> Signals:
    return replace(Hearing(seen, weights).signals, **dict.fromkeys(off.signals, 0.0))


def _judged(cases: list[Case], chances: dict[int, float]) -> dict[str, list[Judged]]:
    found: dict[str, list[Judged]] = {}
    for n, case in enumerate(cases):
        chance = chances.get(n)
        found.setdefault(case.experiment, []).append(Judged(case.task_id, case.wrong, False, chance, chance))
    return found


def _document(rows: dict[str, Fitted], words: dict[str, float], outcome: Outcome) -> Document:
    tasks = ", ".join(one.task.task_id for one in outcome.selection.tasks)
    everything = rows["everything"]
    plots = [_reliability(label, judged) for label, judged in everything.unseen.items()]
    return Document(
        "The numbers of default",
        (
            Section("Fitted to", (Text(f"{len(outcome.selection.tasks)} tasks, each once an experiment: {tasks}"),)),
            Section("What each ingredient is worth", (Text(_WORDS), _table(rows))),
            Section("From when on each word warns", (Text(_POINTS), _points(everything, words))),
            Section("Reliability, out of fold", tuple(plots)),
        ),
    )


_WORDS = (
    "In sample, then out of fold (five folds by task; AUROC there pools five fits, whose bases differ, and so errs "
    "low). Recall is of all wrong targets, those that could not be judged among them."
)
_POINTS = "Out of fold: recall and false positive rate of each experiment, over all targets."


def _points(fitted: Fitted, words: dict[str, float]) -> Table:
    head = ("experiment", *(f"{word}: from {step:.2f}" for word, step in words.items()))
    body = [(label, *(_point(unseen, step) for step in words.values())) for label, unseen in fitted.unseen.items()]
    return Table(head, tuple(body))


def _point(unseen: list[Judged], step: float) -> str:
    counts = metrics.count([replace(one, reported=(one.probability or 0.0) >= step) for one in unseen])
    return f"{counts.recall or 0.0:.3f} at {counts.fpr or 0.0:.3f}"


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
