"""Reports as a folder of pages: one a function, and an index that leads to them.

    index.html   a line a function: its verdict, the input that shows it, what the check cost
    NAME.html    `mpt.reporting.page` of the function NAME; of several with one name the later ones are numbered

Pages are self-contained, and written whole or not at all. What else is in the folder stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from mpt.errors import StoreError
from mpt.reporting import as_html, lines, page
from mpt.reporting.document import Document, Section, Table, Text
from mpt.values import Report

_HEAD = ("function", "verdict", "file", "in short", "cost")
_MAX_NAME = 80


class Pages:
    """Written as reports come, so that what was judged before a stop is there. Raises StoreError."""

    def __init__(self, folder: Path) -> None:
        self.index = folder / "index.html"
        self._written: dict[str, Report] = {}
        with _storing(folder):
            folder.mkdir(parents=True, exist_ok=True)
        self._write("index.html", _index(self._written))

    def add(self, report: Report, seed: int) -> None:
        """Writes the report's page and the index anew. seed: of the check's random choices."""
        name = self._name(report.function.name)
        self._write(name, page.document(report, seed))
        self._written[name] = report
        self._write("index.html", _index(self._written))

    def _name(self, function: str) -> str:
        """No two alike, also where the file system does not tell large letters from small."""
        taken = {"index.html", *map(str.lower, self._written)}
        plain = re.sub(r"[^\w-]", "_", function)[:_MAX_NAME]
        names = (f"{plain}.html" if n == 1 else f"{plain}-{n}.html" for n in range(1, len(taken) + 2))
        return next(name for name in names if name.lower() not in taken)

    def _write(self, name: str, document: Document) -> None:
        file = self.index.with_name(name)
        partial = self.index.with_name(f"{name}.part")
        with _storing(file):
            partial.write_text(as_html.dumps(document), encoding="utf-8", newline="\n")
            partial.replace(file)


def _index(written: Mapping[str, Report]) -> Document:
    reports = list(written.values())
    table = Table(_HEAD, tuple(map(_row, reports)), links=tuple(written))
    cost = Text(lines.cost(lines.total(reports)))
    return Document("mpt check", (Section(lines.summary(reports), (table, cost)),))


def _row(report: Report) -> tuple[str, ...]:
    function, status = report.function, report.verdict.status
    place = f"{function.path}:{function.name_span.start.line + 1}"
    return (
        function.name,
        f"{lines.MARKS[status]}\N{NO-BREAK SPACE}{status}",
        place,
        lines.headline(report),
        lines.cost(report.spent),
    )


@contextmanager
def _storing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(f"{path}: cannot be written ({error.strerror}): choose another --report") from None
