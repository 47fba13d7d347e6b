"""A report as blocks, written once as Markdown (`as_markdown`) and once as a self-contained page (`as_html`).

Every text in it is plain: what a program printed or wrote is made harmless by whoever writes it out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph."""

    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """Lines to be read as they stand. language: "python", "diff", "text" or empty."""

    text: str
    language: str = ""


Mark = Literal["", "same", "differs", "unknown"]


@dataclass(frozen=True, slots=True)
class Table:
    """Cells as text; every row as long as `head`.

    marks: one a cell, for who looks rather than reads; or none at all.
    links: one a row, the file beside the page that its first cell leads to; or none at all.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    marks: tuple[tuple[Mark, ...], ...] = ()
    links: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if any(len(row) != len(self.head) for row in (*self.rows, *self.marks)):
            raise ValueError("a row is as long as the head")
        if any(beside and len(beside) != len(self.rows) for beside in (self.marks, self.links)):
            raise ValueError("a row has its marks, and its link")


@dataclass(frozen=True, slots=True)
class Series:
    """Points of one kind, in the order to join them where it is a line."""

    name: str
    points: tuple[tuple[float, float], ...]
    style: Literal["line", "dots", "dashed"] = "line"


@dataclass(frozen=True, slots=True)
class Plot:
    """Axes are linear, from `low` to `high` of x and of y."""

    title: str
    x: str
    y: str
    series: tuple[Series, ...]
    low: tuple[float, float] = (0.0, 0.0)
    high: tuple[float, float] = (1.0, 1.0)


Block = Text | Code | Table | Plot


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands under it; `folded`: a page shows it when asked."""

    title: str
    blocks: tuple[Block, ...]
    folded: bool = False


@dataclass(frozen=True, slots=True)
class Document:
    title: str
    sections: tuple[Section, ...]
