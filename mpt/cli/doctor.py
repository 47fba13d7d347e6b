"""mpt doctor: which language model, fuzzer, sandbox and interpreter will be used, and what is missing."""

from __future__ import annotations

import sys
from typing import Any

import click

from mpt.cli.exits import FAILED, FINE
from mpt.cli.options import person_settings, settings_options


@click.command()
@settings_options
def doctor(**flags: Any) -> None:
    """Says what a check would use here, and what is missing. Exit code 2 where a check could not run."""
    from rich.console import Console
    from rich.text import Text

    from mpt.diagnosis import diagnose
    from mpt.reporting.escape import printable

    out = Console(highlight=False)
    able = True
    for finding in diagnose(person_settings(flags, Console(stderr=True, highlight=False))):
        mark, style = ("✓", "green") if finding.works else ("✗", "red") if finding.needed else ("–", "yellow")
        out.print(Text.assemble((f"{mark} ", style), (f"{finding.part:<12}", "bold"), printable(finding.says, 1000)))
        able = able and (finding.works or not finding.needed)
    sys.exit(FINE if able else FAILED)
