"""Notebooks: which cells they have, and in which order. A cell is a document like any other; its functions also see
what stands in the cells above it, which are run first. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lsprotocol import types

from mpt_server.documents import canonical, path_of
from mpt_server.positions import without_end


@dataclass(eq=False)
class Notebook:
    """cells: the canonical URIs of its code cells, the first on top."""

    uri: str
    cells: list[str] = field(default_factory=list)

    @property
    def path(self) -> Path | None:
        return path_of(self.uri)

    def splice(self, array: types.NotebookCellArrayChange) -> None:
        """Cells went, and others came in their place; of kinds that are not code the places stay empty."""
        self.cells[array.start : array.start + array.delete_count] = codes(array.cells or ())

    def above(self, cell: str) -> list[str]:
        return self.cells[: self.cells.index(cell)] if cell in self.cells else []

    def from_on(self, cell: str) -> list[str]:
        """The cell and those below it: all that an edit of it concerns."""
        return self.cells[self.cells.index(cell) :] if cell in self.cells else []


def codes(cells: Iterable[types.NotebookCell]) -> list[str]:
    """One name a cell; empty where it holds no code."""
    return [canonical(cell.document) if cell.kind == types.NotebookCellKind.Code else "" for cell in cells]


def module(texts: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """The lines of cells, one below the other, as what stands above a further one: each ends, none is a magic."""
    return tuple(line for lines in texts if not _is_foreign(lines) for line in _python(lines))


def _is_foreign(lines: Sequence[str]) -> bool:
    """A cell magic makes it a cell of another language, or of none; those that only measure do not."""
    first = next((line for line in lines if line.strip()), "")
    return first.startswith("%%") and first.split()[0] not in ("%%time", "%%timeit", "%%capture", "%%prun")


def _python(lines: Sequence[str]) -> list[str]:
    return [("#" if line.startswith(("%", "!")) else "") + without_end(line) + "\n" for line in lines]
