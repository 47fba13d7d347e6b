"""mpt check: judge functions and show the inputs on which they disagree with their paraphrase programs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mpt.cli.exits import exit_code
from mpt.cli.options import person_settings, settings_options
from mpt.errors import Cancelled, MptError, UsageError
from mpt.values import Function, Report, Verdict

if TYPE_CHECKING:
    from rich.console import Console

    from mpt.cli.progress import TerminalWatch
    from mpt.ports import Tools
    from mpt.reporting.folder import Pages
    from mpt.settings import Settings


FORMATS = ("text", "json", "sarif", "junit")


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH[::FUNCTION]...")
@click.option(
    "--format", "style", type=click.Choice(["text", "json", "sarif", "junit"]), default="text", help="What is printed."
)
@click.option(
    "--report", "pages", type=click.Path(path_type=Path, file_okay=False), help="Write a page a function, and an index."
)
@click.option("--record", type=click.Path(path_type=Path, file_okay=False), help="Keep every reply and input here.")
@click.option("--replay", type=click.Path(path_type=Path, file_okay=False), help="Use only what was recorded here.")
@click.option("--dry-run", is_flag=True, help="Print what would be sent to the language model; send and run nothing.")
@settings_options
def check(
    paths: Sequence[str],
    style: str,
    pages: Path | None,
    record: Path | None,
    replay: Path | None,
    dry_run: bool,
    **flags: Any,
) -> None:
    """Judges the documented functions of files and folders, or one FUNCTION of a file.

    Exit code: 0 nothing is inconsistent, 1 something is, 2 usage or a failure of ours, 3 nothing could be judged.
    """
    from rich.console import Console

    from mpt.reporting.escape import printable
    from mpt.wiring import open_tools

    out, err = Console(highlight=False, soft_wrap=False), Console(stderr=True, highlight=False)
    settings = person_settings(flags, err)
    jobs, unread = _jobs(paths, settings, flags, err)
    if dry_run:
        _print_what_is_sent(jobs)
        return
    printer = _Printer(style, out, _opened(pages))
    tools = open_tools(settings, record=record, replay=replay)
    for problem in tools.problems:
        err.print(f"mpt: {printable(problem, 1000)}", markup=False, style="yellow", soft_wrap=True)
    try:
        done = _check_all(jobs, tools, err, printer)
    finally:
        tools.close()
    _finish(done, printer, err)
    sys.exit(exit_code(done.reports, failed=unread or done.failure is not None))


def _opened(folder: Path | None) -> Pages | None:
    """Before anything is asked or run: a folder that cannot be written is told at once."""
    from mpt.reporting.folder import Pages

    return Pages(folder) if folder is not None else None


@dataclass(frozen=True, slots=True)
class _Job:
    """One function, with the settings of the project it belongs to."""

    function: Function
    settings: Settings


@dataclass(frozen=True, slots=True)
class _Done:
    """What came of all jobs; `failure` is the failure of ours that ended the run early."""

    reports: tuple[Report, ...]
    failure: MptError | None = None


def _jobs(paths: Sequence[str], person: Settings, flags: dict[str, Any], err: Console) -> tuple[list[_Job], bool]:
    """With whether a file of a folder could not be read; that, and what else is passed over, is said."""
    from mpt.cli.options import project_settings
    from mpt.cli.targets import choose, is_ignored
    from mpt.reporting.escape import printable
    from mpt.settings import nearest_pyproject

    jobs: dict[tuple[str, str, int], _Job] = {}
    projects: dict[Path | None, Settings] = {}
    undocumented, unread = 0, False
    for chosen in (one for path in paths for one in choose(path)):
        pyproject = nearest_pyproject(chosen.path)
        if pyproject not in projects:
            projects[pyproject] = project_settings(person, flags, pyproject, err)
        settings = projects[pyproject]
        if settings.paraphrases < settings.min_programs:
            raise UsageError(f"{settings.min_programs} paraphrases at least are needed (min_programs)")
        if pyproject is not None and is_ignored(chosen.path, pyproject.parent, settings.ignore):
            if str(chosen.path) in paths:
                err.print(f"{chosen.path}: left out by `ignore` in {pyproject}", style="dim", markup=False)
            continue
        unread |= chosen.unread
        if chosen.problem:
            err.print(f"mpt: {printable(chosen.problem, 1000)}", style="yellow", markup=False, soft_wrap=True)
        undocumented += chosen.undocumented
        for function in chosen.functions:
            jobs[function.path, function.name, function.ordinal] = _Job(function, settings)
    if undocumented:
        err.print(f"passed over {undocumented} functions without a docstring", style="dim", markup=False)
    return list(jobs.values()), unread


def _print_what_is_sent(jobs: Sequence[_Job]) -> None:
    from mpt.cli.dry_run import sent
    from mpt.reporting.escape import printable

    for job in jobs:
        for piece in sent(job.function, job.settings):
            for line in piece.split("\n"):
                click.echo(printable(line, len(line)))


def _check_all(jobs: Sequence[_Job], tools: Tools, err: Console, printer: _Printer) -> _Done:
    from mpt.cli.progress import TerminalWatch

    reports: list[Report] = []
    with TerminalWatch(err) as watch:
        for number, job in enumerate(jobs):
            try:
                report = _check_one(job, number, len(jobs), tools, watch)
            except Cancelled:
                raise
            except MptError as failure:
                left = [_not_judged(rest.function, failure) for rest in jobs[number:]]
                return _Done((*reports, *left), failure)
            with watch.paused():
                printer.judged(report, reports[-1] if reports else None, job.settings.seed)
            reports.append(report)
    return _Done(tuple(reports))


def _check_one(job: _Job, number: int, total: int, tools: Tools, watch: TerminalWatch) -> Report:
    from mpt import pipeline

    watch.subject(job.function.name, number + 1, total)
    return pipeline.check(job.function, tools, job.settings, watch)


def _not_judged(function: Function, failure: MptError) -> Report:
    return Report(function, Verdict("INCONCLUSIVE", f"not judged: {failure}"))


@dataclass(frozen=True, slots=True)
class _Printer:
    """Shows each verdict, and writes its page, as it comes; other formats are one document and wait for the end."""

    style: str
    out: Console
    pages: Pages | None

    def judged(self, report: Report, previous: Report | None, seed: int) -> None:
        from mpt.reporting import text

        if self.pages is not None:
            self.pages.add(report, seed)
        if self.style == "text":
            text.write_one(self.out, report, previous)


def _finish(done: _Done, printer: _Printer, err: Console) -> None:
    from mpt.reporting import as_json, as_junit, as_sarif, text
    from mpt.reporting.escape import printable

    documents = {"json": as_json.dumps, "sarif": as_sarif.dumps, "junit": as_junit.dumps}
    if printer.style in documents:
        click.echo(documents[printer.style](done.reports))
    else:
        text.write_summary(printer.out, done.reports)
    if printer.pages is not None:
        err.print(f"pages: {printer.pages.index}", style="dim", markup=False, soft_wrap=True)
    if done.failure is not None:
        err.print(f"mpt: {printable(str(done.failure), 1000)}", markup=False, style="red", soft_wrap=True)
