"""What a run found, as JSON and as a Document. Keys of the JSON:

{"rows": [..] as in mpt.evaluation.scoring,
 "summary": {"tasks", "programs", "targets", "left_out"}, "left_out": [one line each, ..],
 "crosscheck": [{"model", "programs", "published", "ours", "differ": [{"line", "task_id", "published", "why"}]}],
 "post_processing": [{"experiment", "policy", "truth", "before", "after"}]     accuracy, as in the paper's §4.3
 "reliability": [{"experiment", "policy", "truth", "bins": [{"count", "said", "seen"}]}],
 "roc": [{"experiment", "policy", "truth", "points": [[fpr, recall], ..]}],
 "seconds": {step: over all tasks}}
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from mpt.evaluation import metrics
from mpt.evaluation.folder import write_whole
from mpt.evaluation.run import Outcome
from mpt.evaluation.scoring import MEASURES, Scored
from mpt.evaluation.truth import Right
from mpt.reporting import as_html, as_markdown
from mpt.reporting.document import Block, Document, Plot, Section, Series, Table, Text


def as_dict(outcome: Outcome) -> dict[str, Any]:
    """The whole report."""
    records = [record for task in outcome.selection.tasks for record in task.records()]
    targets = {trial.target.line for task in outcome.selection.tasks for trial in task.all}
    return {
        "rows": list(outcome.rows),
        "summary": {
            "tasks": len(outcome.selection.tasks),
            "programs": len(records),
            "targets": len(targets),
            "left_out": len(outcome.left_out),
        },
        "left_out": [str(one) for one in outcome.left_out],
        "crosscheck": list(_crosscheck(outcome)),
        "post_processing": list(_post_processing(outcome)),
        "reliability": [
            {**_which(one), "bins": [asdict(found) for found in metrics.reliability(one.judged)]}
            for one in outcome.scored
            if any(judged.probability is not None for judged in one.judged)
        ],
        "roc": [
            {**_which(one), "points": [[point.fpr, point.recall] for point in metrics.roc(one.judged)]}
            for one in outcome.scored
        ],
        "seconds": {step: round(seconds, 1) for step, seconds in outcome.seconds.items()},
    }


def _which(scored: Scored) -> dict[str, str]:
    return {"experiment": scored.experiment, "policy": scored.policy, "truth": scored.truth}


def _crosscheck(outcome: Outcome) -> Iterator[dict[str, Any]]:
    """Our pass or fail of HumanEval's own tests beside the publisher's, for each model."""
    ours = outcome.right.get("humaneval", {})
    by_model: dict[str, list[tuple[int, str]]] = {}
    for task in outcome.selection.tasks:
        for record in task.records():
            if record.line in outcome.published and record.line in ours:
                by_model.setdefault(record.model, []).append((record.line, record.task_id))
    for model, found in sorted(by_model.items()):
        yield {
            "model": model,
            "programs": len(found),
            "published": sum(outcome.published[line] for line, _ in found) / len(found),
            "ours": sum(ours[line].right for line, _ in found) / len(found),
            "differ": [
                {"line": line, "task_id": task_id, "published": outcome.published[line], "why": ours[line].why}
                for line, task_id in found
                if outcome.published[line] != ours[line].right
            ],
        }


def _post_processing(outcome: Outcome) -> Iterator[dict[str, Any]]:
    """Accuracy of the targets, and when each reported one is replaced by a program of the majority."""
    for scored in outcome.scored:
        right = outcome.right[scored.truth]
        before = [right[trial["line"]].right for trial in scored.trials]
        after = [_replaced(trial, right) for trial in scored.trials]
        if before:
            yield {**_which(scored), "before": sum(before) / len(before), "after": sum(after) / len(after)}


def _replaced(trial: Mapping[str, Any], right: Mapping[int, Right]) -> bool:
    instead = trial["instead"] if trial["status"] == "INCONSISTENT" else None
    return right[trial["line"] if instead is None else instead].right


# --- as a document --------------------------------------------------------------------------------


def as_document(report: Mapping[str, Any]) -> Document:
    """The report for people, from what `as_dict` gives."""
    rows = report["rows"]
    sections = [
        Section("In short", (Text(_WORDS), _in_short(rows))),
        *_plots(report),
        *_growth(rows),
        *_cost(rows),
        Section("Results, with 95 % intervals bootstrapped over tasks", (_results(rows),)),
        Section("Counts", (_counts(rows),), folded=True),
        Section("What a warning is worth", (Text(_WORTH), _worth(rows)), folded=True),
        Section("Taking the majority's program where the target is reported", (_replacement(report),)),
        Section("The first policy's errors", (_cases(report["cases"]),)),
        Section("The truth, checked", _checked(report["crosscheck"])),
        Section("Left out", _left_out(report["left_out"]), folded=True),
        Section("Time", (_time(report["seconds"]),), folded=True),
    ]
    return Document("Metamorphic prompt testing on recorded programs", tuple(sections))


_WORDS = (
    "Positive: the target is wrong. Reported: INCONSISTENT. What was not judged or is ambiguous counts as not "
    "reported; AUROC is over the judged. The paper's own figures (recall 0.75 at 0.086 false positives, conservatively "
    "0.83 at 0.22) are of other models and another truth, and cannot be compared with these. Dots: the policies as "
    "they are; curves: at other thresholds."
)
_WORTH = "The chance that a warning is right, where so many of the functions are wrong (Bayes)."


def _in_short(rows: Sequence[Mapping[str, Any]]) -> Table:
    head = (
        "experiment",
        "truth",
        "policy",
        "wrong ones found",
        "right ones accused",
        "warnings that are right",
        "AUROC",
    )
    body = [
        (*_row_name(row), *(_percent(row[name]) for name in ("recall", "fpr", "precision")), _number(row["auroc"]))
        for row in rows
    ]
    return Table(head, tuple(body))


def _row_name(row: Mapping[str, Any]) -> tuple[str, str, str]:
    return row["experiment"], _stem(row["truth"]), row["policy"]


def _stem(truth: str) -> str:
    return truth.partition(".")[0]


def _results(rows: Sequence[Mapping[str, Any]]) -> Table:
    head = ("experiment", "truth", "policy", *MEASURES, "recall at majority's fpr")
    body = [
        (*_row_name(row), *(_with_interval(row, name) for name in MEASURES), _number(row["recall_at_majority_fpr"]))
        for row in rows
    ]
    return Table(head, tuple(body))


def _counts(rows: Sequence[Mapping[str, Any]]) -> Table:
    counts = ("targets", "tp", "fp", "tn", "fn", "inconclusive", "ambiguous")
    body = [(*_row_name(row), *(str(row[name]) for name in counts)) for row in rows]
    return Table(("experiment", "truth", "policy", *counts), tuple(body))


def _worth(rows: Sequence[Mapping[str, Any]]) -> Table:
    rates = [str(rate) for rate in metrics.ERROR_RATES]
    body = [(*_row_name(row), *(_number(row["worth"][rate]) for rate in rates)) for row in rows]
    return Table(("experiment", "truth", "policy", *(f"{float(rate):.0%} wrong" for rate in rates)), tuple(body))


def _growth(rows: Sequence[Mapping[str, Any]]) -> Iterator[Section]:
    """What more paraphrase programs, and more inputs, bring: over experiments that differ in that alone."""
    for by, title in (("programs", "paraphrase programs"), ("inputs", "inputs, examples not counted")):
        counted = sorted((row for row in rows if row[f"by_{by}"]), key=lambda row: int(row[by]))
        plots = [
            Plot(f"{measure}, truth {_stem(truth)}", title, measure, series, high=(float(counted[-1][by]), 1.0))
            for truth in dict.fromkeys(row["truth"] for row in counted)
            for measure in ("recall", "fpr")
            for series in [tuple(_lines([row for row in counted if row["truth"] == truth], by, measure))]
        ]
        if plots:
            yield Section(f"By number of {title}", tuple(plots))


def _cost(rows: Sequence[Mapping[str, Any]]) -> Iterator[Section]:
    """What is found for what is asked: two language model calls a paraphrase program."""
    counted = sorted((row for row in rows if row["by_programs"]), key=lambda row: int(row["programs"]))
    plots = [
        Plot(f"recall, truth {_stem(truth)}", "language model calls a function", "recall", series, high=(most, 1.0))
        for truth in dict.fromkeys(row["truth"] for row in counted)
        for most in [float(CALLS * counted[-1]["programs"])]
        for series in [tuple(_lines([row for row in counted if row["truth"] == truth], "programs", "recall", CALLS))]
    ]
    if plots:
        yield Section("Cost", tuple(plots))


CALLS = 2
"""Language model calls for one paraphrase program: its wording and itself."""


def _lines(rows: Sequence[Mapping[str, Any]], by: str, measure: str, times: int = 1) -> Iterator[Series]:
    for policy in dict.fromkeys(row["policy"] for row in rows):
        points = [
            (times * row[by], row[measure]) for row in rows if row["policy"] == policy and row[measure] is not None
        ]
        yield Series(policy, _points(points))


def _plots(report: Mapping[str, Any]) -> Iterator[Section]:
    """The first experiment's in sight, the others' folded."""
    for experiment, truth in dict.fromkeys((row["experiment"], row["truth"]) for row in report["rows"]):
        here = {"experiment": experiment, "truth": truth}
        blocks = (_roc(report, here), *_reliable(report, here), _worth_curves(report, here))
        folded = experiment != report["rows"][0]["experiment"]
        yield Section(f"{experiment}, truth {_stem(truth)}", blocks, folded)


def _roc(report: Mapping[str, Any], here: Mapping[str, str]) -> Plot:
    curves = [Series(one["policy"], _points(one["points"])) for one in report["roc"] if _is(one, here)]
    points = [
        Series(row["policy"], ((row["fpr"], row["recall"]),), "dots")
        for row in report["rows"]
        if _is(row, here) and row["fpr"] is not None and row["recall"] is not None
    ]
    paper = Series("the paper, elsewhere", PAPER_POINTS, "dots")
    return Plot("ROC", "false positive rate", "recall", (*curves, *points, paper))


PAPER_POINTS = ((0.086, 0.75), (0.22, 0.83))
"""False positive rate and recall of Wang & Zhu's majority and conservative voting on GPT-4."""


def _reliable(report: Mapping[str, Any], here: Mapping[str, str]) -> Iterator[Plot]:
    found = [one for one in report["reliability"] if _is(one, here)]
    if found:
        series = [
            Series(one["policy"], _points([[part["said"], part["seen"]] for part in one["bins"]])) for one in found
        ]
        even = Series("what it says is so", ((0.0, 0.0), (1.0, 1.0)), "dashed")
        yield Plot("Reliability", "probability said", "share that is wrong", (*series, even))


def _worth_curves(report: Mapping[str, Any], here: Mapping[str, str]) -> Plot:
    curves = [
        Series(
            row["policy"], _points([[float(rate), worth] for rate, worth in row["worth"].items() if worth is not None])
        )
        for row in report["rows"]
        if _is(row, here)
    ]
    x, y = "share of functions that are wrong", "chance that a warning is right"
    return Plot("What a warning is worth", x, y, tuple(curves), high=(max(metrics.ERROR_RATES), 1.0))


def _replacement(report: Mapping[str, Any]) -> Table:
    body = [(*_row_name(one), _number(one["before"]), _number(one["after"])) for one in report["post_processing"]]
    return Table(("experiment", "truth", "policy", "accuracy before", "after"), tuple(body))


def _cases(cases: Sequence[Mapping[str, Any]]) -> Table:
    """By experiment and truth; the classes are explained in mpt.evaluation.cases."""
    names = ("experiment", "truth", "policy", "kind", "why", "cases", "targets")
    return Table(names, tuple(tuple(str(one[name]) for name in names) for one in cases))


def _checked(crosscheck: Sequence[Mapping[str, Any]]) -> tuple[Block, ...]:
    if not crosscheck:
        return (Text("Nothing to compare with: give --truth humaneval and programs with published_pass."),)
    body = [
        (one["model"], str(one["programs"]), _number(one["published"]), _number(one["ours"]), str(len(one["differ"])))
        for one in crosscheck
    ]
    differ = [
        (one["model"], found["task_id"], str(found["line"]), str(found["published"]), found["why"])
        for one in crosscheck
        for found in one["differ"]
    ]
    table = Table(("model", "programs", "published pass rate", "ours", "programs that differ"), tuple(body))
    return (
        (table, Table(("model", "task", "line", "published", "why ours failed"), tuple(differ))) if differ else (table,)
    )


def _left_out(left_out: Sequence[str]) -> tuple[Block, ...]:
    return (Text(f"{len(left_out)} notes."), Table(("what and why",), tuple((one,) for one in left_out)))


def _time(seconds: Mapping[str, float]) -> Table:
    return Table(
        ("step", "seconds, all processes together"), tuple((name, f"{took:.1f}") for name, took in seconds.items())
    )


def _is(one: Mapping[str, Any], here: Mapping[str, str]) -> bool:
    return all(one[name] == value for name, value in here.items())


def _points(points: Sequence[Sequence[float]]) -> tuple[tuple[float, float], ...]:
    return tuple((x, y) for x, y in points)


def _with_interval(row: Mapping[str, Any], name: str) -> str:
    interval = row["intervals"][name]
    spread = "" if interval is None else f" ({interval[0]:.2f}–{interval[1]:.2f})"
    return _number(row[name]) + spread


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{value:.1%}"


def dumps(report: Mapping[str, Any], style: str) -> str:
    """style: json, markdown or html."""
    if style == "json":
        return json.dumps(report, indent=1)
    document = as_document(report)
    return as_html.dumps(document) if style == "html" else as_markdown.dumps(document)


def write(report: Mapping[str, Any], folder: Path) -> None:
    """As report.json, report.md and report.html. Raises StoreError."""
    for ending, style in (("json", "json"), ("md", "markdown"), ("html", "html")):
        write_whole(folder / f"report.{ending}", dumps(report, style))
