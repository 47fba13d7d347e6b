"""The command line: mpt check · mpt evaluate · mpt llm · mpt doctor · mpt cache.

One module a command; what takes long to import is imported inside it, so that `mpt --help` answers at once.
"""

from __future__ import annotations

import signal
import sys

import click

from mpt import __version__
from mpt.cli.cache import cache
from mpt.cli.check import check
from mpt.cli.doctor import doctor
from mpt.cli.evaluate import evaluate
from mpt.cli.exits import FAILED, INTERRUPTED
from mpt.cli.llm import llm
from mpt.errors import MptError
from mpt.reporting.escape import printable


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="mpt")
def cli() -> None:
    """Checks Python functions that an AI assistant wrote.

    It rewords their docstrings, has a language model write each function again from every rewording, and shows the
    inputs on which they disagree.
    """


for command in (check, evaluate, llm, doctor, cache):
    cli.add_command(command)


def main() -> None:
    """Runs the command line; our own failures are one line on stderr and exit code 2."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # what CI sends: stop as for Ctrl-C, and leave nothing
    try:
        sys.exit(cli.main(standalone_mode=False) or 0)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else "", err=True)
        sys.exit(FAILED)
    except click.ClickException as error:
        click.echo(f"mpt: {printable(error.format_message())}", err=True)
        sys.exit(FAILED)
    except MptError as error:
        click.echo(f"mpt: {printable(str(error), 1000)}", err=True)
        sys.exit(FAILED)
    except (KeyboardInterrupt, click.Abort):
        click.echo("mpt: stopped", err=True)
        sys.exit(INTERRUPTED)
