"""mpt cache: what is kept on this machine, and forgetting it."""

from __future__ import annotations

import click


@click.group(invoke_without_command=True)
@click.pass_context
def cache(context: click.Context) -> None:
    """Shows what is kept: replies, inputs, verdicts, answers to questions, what was spent."""
    if context.invoked_subcommand is None:
        _show()


@cache.command()
@click.argument("kind", required=False)
def clear(kind: str | None) -> None:
    """Forgets everything that is kept, or one KIND of it. The embedded model stays."""
    from mpt.errors import UsageError
    from mpt.wiring import open_store

    store = open_store()
    try:
        counts = store.counts()
        if kind is not None and kind not in counts:
            raise UsageError(f"nothing of kind {kind!r} is kept (there is: {', '.join(sorted(counts)) or 'nothing'})")
        click.echo(f"forgot {store.clear(kind)} entries")
    finally:
        store.close()


def _show() -> None:
    from mpt.adapters.budget import spent_on, utc_today
    from mpt.wiring import cache_folder, open_store

    store = open_store()
    try:
        counts, spent = store.counts(), spent_on(store, utc_today())
        click.echo(f"{cache_folder()}: {store.size_bytes() / 1e6:.1f} MB")
        for kind, count in sorted(counts.items()):
            click.echo(f"  {kind:<10} {count:>8,}")
        click.echo(f"spent today (UTC): {spent.calls:,} language model calls, {spent.tokens:,} tokens")
    finally:
        store.close()
