"""The doctests of a docstring, as its author wrote them, and what one says for certain."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mpt.inputs.literals import Unreadable, read_text
from mpt.spelling import value_of
from mpt.values import Value


@dataclass(frozen=True, slots=True)
class Doctest:
    """`text[at:end]` is one `>>>` with its continuation and what stands below it."""

    at: int
    end: int
    source: str
    want: str


_TEST = re.compile(
    r"^(?P<indent>[ \t]*)(?:(?:'''|\"\"\")[ \t]*)?>>>[ \t]?(?P<first>.*)(?P<more>(?:\n[ \t]*\.\.\.(?![.]).*)*)"
    r"(?P<want>(?:\n(?![ \t]*(?:>>>|$|'''|\"\"\")).*)*)",
    re.MULTILINE,
)


def doctests(text: str) -> Iterator[Doctest]:
    for match in _TEST.finditer(text):
        more = re.sub(r"\n[ \t]*\.\.\.[ \t]?", "\n", match["more"])
        want = re.sub(r"(?:'''|\"\"\")\s*$", "", match["want"])
        yield Doctest(match.start(), match.end(), match["first"] + more, want.strip())


def answer(test: Doctest) -> tuple[Value | None, str | None]:
    """What a doctest says for certain: one literal and nothing else, or an exception."""
    if re.search(r"#\s*doctest:.*\+(SKIP|ELLIPSIS|NORMALIZE_WHITESPACE)", test.source):
        return None, None
    header, _, below = test.want.partition("\n")
    if header.startswith("Traceback (most recent call last)"):
        lines = [line for line in below.expandtabs().splitlines() if line.strip()]
        least = min((len(line) - len(line.lstrip()) for line in lines), default=0)
        raised = next((found for line in lines if (found := re.match(r"([\w.]+)(:|$)", line[least:].rstrip()))), None)
        return None, raised[1].rpartition(".")[2] if raised else None
    return read_or_none(test.want), None


def read_or_none(text: str) -> Value | None:
    try:
        return value_of(read_text(text)) if text else None
    except Unreadable:
        return None
