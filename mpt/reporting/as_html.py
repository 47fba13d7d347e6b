"""A Document as one self-contained page: no script, nothing fetched, plots as inline SVG."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby
from urllib.parse import quote

from mpt.reporting import svg
from mpt.reporting.document import Block, Code, Document, Mark, Plot, Section, Table, Text
from mpt.reporting.escape import printable

_HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 78rem; margin: 2rem auto; padding: 0 1rem; }}
p {{ max-width: 50rem; }}
table {{ border-collapse: collapse; font-size: .85rem; display: block; overflow-x: auto; }}
th {{ white-space: nowrap; }}
th, td {{ padding: .2rem .6rem; border-bottom: 1px solid #8886; text-align: left; }}
td {{ font-variant-numeric: tabular-nums; }}
td.same {{ background: #2f855a22; }}
td.differs {{ background: #c5303033; font-weight: 600; }}
td.unknown {{ opacity: .55; font-style: italic; }}
pre {{ background: #8881; padding: .6rem; overflow-x: auto; font-size: .85rem; }}
details {{ border-left: 3px solid #8886; padding-left: .8rem; margin: .5rem 0; }}
summary {{ cursor: pointer; }}
.plots {{ display: grid; grid-template-columns: repeat(auto-fit, minmax(min(32rem, 100%), 1fr)); gap: 1rem; }}
figure {{ margin: 0; }}
svg {{ width: 100%; height: auto; max-width: 44rem; }}
</style></head><body>
"""


def dumps(document: Document) -> str:
    """The whole page."""
    sections = "\n".join(part for section in document.sections for part in _section(section))
    title = _text(document.title)
    return f"{_HEAD.format(title=title)}<h1>{title}</h1>\n{sections}\n</body></html>\n"


def _section(section: Section) -> Iterator[str]:
    groups = groupby(section.blocks, lambda block: isinstance(block, Plot))
    blocks = "\n".join(_side_by_side(list(group)) if plots else _one_below_other(group) for plots, group in groups)
    if section.folded:
        yield f"<details><summary>{_text(section.title)}</summary>\n{blocks}\n</details>"
    else:
        yield f"<h2>{_text(section.title)}</h2>\n{blocks}"


def _one_below_other(blocks: Iterable[Block]) -> str:
    return "\n".join(map(_block, blocks))


def _side_by_side(plots: Sequence[Block]) -> str:
    return f'<div class="plots">\n{_one_below_other(plots)}\n</div>'


def _block(block: Block) -> str:
    match block:
        case Text(text):
            return f"<p>{_text(text)}</p>"
        case Code(text, _):
            return "<pre>" + "\n".join(_text(line) for line in text.splitlines()) + "</pre>"
        case Table():
            return _table(block)
        case Plot():
            return f"<figure>{svg.draw(block)}</figure>"


def _table(table: Table) -> str:
    head = "".join(f"<th>{_text(cell)}</th>" for cell in table.head)
    unmarked: Mark = ""
    marks = table.marks or [(unmarked,) * len(table.head)] * len(table.rows)
    links = table.links or [""] * len(table.rows)
    body = "\n".join(_row(row, marked, link) for row, marked, link in zip(table.rows, marks, links, strict=True))
    return f"<table><thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table>"


def _row(cells: Sequence[str], marks: Sequence[Mark], link: str) -> str:
    first, *others = map(_text, cells)
    shown = [f'<a href="{quote(link)}">{first}</a>' if link else first, *others]
    return "<tr>" + "".join(map(_cell, shown, marks)) + "</tr>"


def _cell(shown: str, mark: Mark) -> str:
    return f'<td class="{mark}" title="{_SAID[mark]}">{shown}</td>' if mark else f"<td>{shown}</td>"


_SAID: dict[Mark, str] = {
    "": "",
    "same": "the same as the function",
    "differs": "not what the function gives",
    "unknown": "cannot be compared",
}


def _text(text: str) -> str:
    return escape(printable(text, 2000))
