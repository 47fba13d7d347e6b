"""Progress at the terminal, on stderr: what is being done, how far, since when. Silent where stderr is no terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from mpt.reporting.escape import printable

_WORDS = {
    "paraphrase": "rewording the docstring",
    "generate": "writing paraphrase programs",
    "fuzz": "making inputs",
    "run": "running programs",
    "judge": "judging",
}


class TerminalWatch:
    """A Watch that draws a bar; Ctrl-C arrives as KeyboardInterrupt by itself, so `check` has nothing to do."""

    def __init__(self, console: Console) -> None:
        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=20),
            TextColumn("{task.completed:.0f}/{task.total:.0f}", markup=False),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task: TaskID | None = None
        self._subject = ""

    def __enter__(self) -> TerminalWatch:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def subject(self, name: str, number: int, total: int) -> None:
        """What the next phases are about: function `number` of `total`."""
        self._subject = f"[{number}/{total}] {printable(name, 40)}"

    @contextmanager
    def paused(self) -> Iterator[None]:
        """The bar is away, so that something else can be printed."""
        self._progress.stop()
        try:
            yield
        finally:
            self._progress.start()

    def phase(self, name: str, total: int) -> None:
        if self._task is not None:
            self._progress.remove_task(self._task)
        self._task = self._progress.add_task(f"{self._subject}: {_WORDS.get(name, name)}", total=total)

    def advance(self, steps: int = 1) -> None:
        if self._task is not None:
            self._progress.advance(self._task, steps)

    def check(self) -> None:
        """Never raises Cancelled: the terminal's way to say stop is Ctrl-C."""
