"""mpt evaluate: the paper's experiment, on recorded programs or on fresh ones."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from mpt.cli.options import person_settings
from mpt.reporting.escape import printable

FILE = click.Path(path_type=Path, dir_okay=False)
FOLDER = click.Path(path_type=Path, file_okay=False)


@click.command()
@click.option("--programs", required=True, type=FILE, help="Recorded programs: JSON lines, .gz or not.")
@click.option("--experiment", "experiments", multiple=True, required=True, type=FILE, help="Repeat for several.")
@click.option("--truth", "truths", multiple=True, default=("humaneval",), help='"humaneval", or a HumanEval+ file.')
@click.option(
    "--policy", "policies", default="default,majority", help="Several with commas: judged on the same evidence."
)
@click.option("--out", type=FOLDER, help="Keep every line here; the same command again goes on where it stopped.")
@click.option("--format", "style", type=click.Choice(["json", "markdown", "html"]), default="markdown")
@click.option("--inputs", type=int, help="Inputs at most, the docstring's examples not counted.")
@click.option("--seed", type=int, help="Seed of every random choice.")
@click.option("--fuzzer", type=str, default="loop", show_default=True, help="auto, afl or loop.")
@click.option("--sandbox", type=str, help="The wall programs run behind: auto, bubblewrap, none.")
@click.option("--python", type=str, help="Interpreter that runs the programs, inside the wall.")
@click.option("--processes", type=click.IntRange(1), default=os.cpu_count() or 1, show_default="CPUs")
@click.option(
    "--scheduler",
    help="Address of a Dask scheduler to do the work. Dask sends pickles over open sockets: whoever reaches them runs "
    "code on the workers, so only loopback or tls:// is taken.",
)
def evaluate(
    programs: Path,
    experiments: Sequence[Path],
    truths: Sequence[str],
    policies: str,
    out: Path | None,
    style: str,
    processes: int,
    scheduler: str | None,
    **flags: Any,
) -> None:
    """Measures policies: how many of the wrong programs they find, and how many of the right ones they accuse.

    Verdicts are written first, by code that cannot know what is true; then they are scored.
    """
    from rich.console import Console

    from mpt.cli.progress import TerminalWatch
    from mpt.evaluation import evaluate as run
    from mpt.evaluation import report

    err = Console(stderr=True, highlight=False)
    settings = person_settings(flags, err)
    chosen = [name.strip() for name in policies.split(",") if name.strip()]
    with TerminalWatch(err) as watch:
        found = run(
            programs,
            experiments,
            truths=truths,
            policies=chosen,
            settings=settings,
            out=out,
            processes=processes,
            scheduler=scheduler,
            watch=watch,
        )
    click.echo(report.dumps(found, style))
    for line in found["left_out"]:
        err.print(f"left out: {printable(line)}", style="yellow", markup=False, soft_wrap=True)
