"""mpt llm: the embedded language model."""

from __future__ import annotations

import click


@click.group()
def llm() -> None:
    """The embedded language model: what it is, and having it on this machine."""


@llm.command()
def pull() -> None:
    """Downloads the embedded model (1.1 GB) into the cache folder; a pull that was cut off goes on where it was."""
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    from mpt.adapters.embedded_download import QWEN, models_folder
    from mpt.adapters.embedded_download import pull as fetch

    folder = models_folder()
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("embedded model", total=QWEN.size)
        path = fetch(folder, lambda there, total: bar.update(task, completed=there, total=total), lambda: None)
    click.echo(f"the embedded model is there, its SHA-256 verified: {path}")


@llm.command()
def verify() -> None:
    """Reads the whole model file and compares its SHA-256 with the publisher's."""
    from mpt.adapters.embedded_download import QWEN, models_folder, verify

    verify(models_folder(), lambda: None)
    click.echo(f"the embedded model is whole: SHA-256 {QWEN.sha256}")


@llm.command()
def remove() -> None:
    """Deletes the embedded model from the cache folder."""
    import shutil

    from mpt.adapters.embedded_download import models_folder

    shutil.rmtree(models_folder(), ignore_errors=True)
    click.echo(f"removed {models_folder()}")
