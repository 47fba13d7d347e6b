"""mpt evaluate: the paper's experiment, on recorded programs or on fresh ones."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mpt.cli.options import person_settings
from mpt.errors import UsageError
from mpt.reporting.escape import printable
from mpt.settings import PATIENT_EXECUTIONS

if TYPE_CHECKING:
    from mpt.evaluation.experiments import Experiment
    from mpt.ports import Tools, Watch
    from mpt.settings import Settings

FILE = click.Path(path_type=Path, dir_okay=False)
FOLDER = click.Path(path_type=Path, file_okay=False)


@click.command()
@click.option("--programs", type=FILE, help="Recorded programs: JSON lines, .gz or not.")
@click.option("--experiment", "experiments", multiple=True, type=FILE, help="Repeat for several.")
@click.option("--fresh", is_flag=True, help="Ask the language model for target and paraphrase programs; needs --out.")
@click.option("--tasks", default="0::2", help="With --fresh: START:STOP:STEP over HumanEval's tasks.  [default: 0::2]")
@click.option("--record", type=FOLDER, help="Keep every reply of the language model here.")
@click.option("--replay", type=FOLDER, help="Take every reply from here; no language model is asked.")
@click.option(
    "--llm",
    type=str,
    help='For --fresh and the policy llm-judge: "embedded", MODEL@BASE_URL, or MODEL of OpenAI\'s own service.',
)
@click.option("--truth", "truths", multiple=True, default=("humaneval",), help='"humaneval", or a HumanEval+ file.')
@click.option(
    "--policy", "policies", default="default,majority", help="Several with commas: judged on the same evidence."
)
@click.option("--out", type=FOLDER, help="Keep every line here; the same command again goes on where it stopped.")
@click.option("--format", "style", type=click.Choice(["json", "markdown", "html"]), default="markdown")
@click.option("--inputs", type=int, help="Inputs at most, the docstring's examples not counted.")
@click.option("--seed", type=int, help="Seed of every random choice.")
@click.option("--fuzzer", type=str, default="loop", show_default=True, help="auto, afl or loop.")
@click.option(
    "--fuzz-executions", type=int, default=PATIENT_EXECUTIONS, show_default=True, help="Inputs that the loop tries."
)
@click.option("--sandbox", type=str, help="The wall programs run behind: auto, bubblewrap, none.")
@click.option("--python", type=str, help="Interpreter that runs the programs, inside the wall.")
@click.option("--sensitivity", type=str, help="How sure `default` is before it warns: quiet, balanced, thorough.")
@click.option("--processes", type=click.IntRange(1), default=os.cpu_count() or 1, show_default="CPUs")
@click.option(
    "--scheduler",
    help="Address of a Dask scheduler to do the work. Dask sends pickles over open sockets: whoever reaches them runs "
    "code on the workers, so only loopback or tls:// is taken.",
)
def evaluate(
    programs: Path | None,
    experiments: Sequence[Path | Experiment],
    fresh: bool,
    tasks: str,
    record: Path | None,
    replay: Path | None,
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
    from mpt.evaluation.llm_judge import NAME
    from mpt.wiring import open_tools

    err = Console(stderr=True, highlight=False)
    settings = person_settings(flags, err)
    chosen = [name.strip() for name in policies.split(",") if name.strip()]
    if not fresh and (programs is None or not experiments):
        raise UsageError("wants --programs and --experiment, or --fresh and --out")
    with TerminalWatch(err) as watch, contextlib.ExitStack() as stack:
        asking = fresh or NAME in chosen
        tools = (
            stack.enter_context(contextlib.closing(open_tools(settings, record=record, replay=replay)))
            if asking
            else None
        )
        if fresh and tools is not None:
            programs, experiments, out = _ask(tasks, out, tools, settings, watch)
        found = run(
            programs or Path(),
            experiments,
            truths=truths,
            policies=chosen,
            settings=settings,
            out=out,
            processes=processes,
            scheduler=scheduler,
            watch=watch,
            model=tools.model if tools else None,
        )
    click.echo(report.dumps(found, style))
    for line in found["left_out"]:
        err.print(f"left out: {printable(line)}", style="yellow", markup=False, soft_wrap=True)


def _ask(
    tasks: str, out: Path | None, tools: Tools, settings: Settings, watch: Watch
) -> tuple[Path, list[Experiment], Path]:
    """Has the model write what `out` does not hold yet: the programs, the experiment on them, the folder of its run."""
    from mpt.evaluation.fresh import OWN_MODEL, chosen_tasks, write_programs
    from mpt.evaluation.prompts import read_tasks

    if out is None:
        raise UsageError("--fresh wants --out: what a model wrote is not thrown away")
    write_programs(chosen_tasks(list(read_tasks().values()), tasks), out / "programs.jsonl", tools, settings, watch)
    return out / "programs.jsonl", [OWN_MODEL], out / "run"
