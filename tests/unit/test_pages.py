"""The pages of a check: what stands in them, and how they come into a folder."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from builders import evidence
from mpt.errors import StoreError
from mpt.reporting import as_html, as_markdown, page
from mpt.reporting.document import Table
from mpt.reporting.folder import Pages
from mpt.validation import judge
from mpt.values import Function, Opaque, Paraphrase, Position, Prompt, Report, Segment, Span

SPAN = Span(Position(3, 4), Position(3, 5))
PROMPT = Prompt("", "def f(x):\n", (Segment("description", "Twice x."),), "f")
FUNCTION = Function("a.py", "f", 0, PROMPT, "def f(x):\n    return x", "", SPAN, SPAN)


def a_report(name: str = "f", target: object = 3, other: object = 0) -> Report:
    seen = evidence((target, 1), (other, 1), (other, Opaque("thing")), *[(other, 1)] * 3)
    wording = replace(PROMPT, segments=(Segment("description", "The double of x."),))
    function = replace(FUNCTION, name=name)
    return Report(function, judge(seen, "majority"), seen, (Paraphrase(wording, "paraphrase", 0.5),) * 5)


def test_every_answer_is_marked_by_how_it_compares() -> None:
    [table] = [
        block
        for section in page.document(a_report(), 0).sections
        for block in section.blocks
        if isinstance(block, Table) and block.marks
    ]
    assert table.marks == (
        ("", "", "differs", "differs", "differs", "differs", "differs"),
        ("", "", "same", "unknown", "same", "same", "same"),
    )
    html = as_html.dumps(page.document(a_report(), 0))
    assert html.count('<td class="differs"') == 5
    assert html.count('<td class="unknown"') == 1


def test_a_page_has_the_wordings_the_programs_and_the_change() -> None:
    text = as_markdown.dumps(page.document(a_report(), 7), aligned=True)
    assert "Paraphrase program 5" in text
    assert "The double of x." in text
    assert "50% like the docstring's" in text
    assert "seed 7" in text
    assert re.search(r"```diff\n--- function\n\+\+\+ program\n", text)
    assert re.search(r"^f\(0\) +3 +0 ×5$", text, re.MULTILINE)


def test_nothing_a_program_answers_is_markup() -> None:
    html = as_html.dumps(page.document(a_report(other="<script>x</script>\x1b[2J"), 0))
    assert "<script" not in html
    assert "\x1b" not in html


def test_the_index_leads_to_a_page_a_function(tmp_path: Path) -> None:
    pages = Pages(tmp_path / "out")
    for name in ("Stack.push", "stack_push", "index", "../f"):
        pages.add(a_report(name), 0)
    index = pages.index.read_text("utf-8")
    found = re.findall(r'<a href="([^"]+)">([^<]+)</a>', index)
    assert [name for _, name in found] == ["Stack.push", "stack_push", "index", "../f"]
    assert len({link.lower() for link, _ in found}) == 4
    for link, name in found:
        assert f"<h1>{name}: INCONSISTENT</h1>" in (tmp_path / "out" / link).read_text("utf-8")
    assert sorted(path.name for path in tmp_path.rglob("*.part")) == []
    assert "4 functions: 4 inconsistent" in index


def test_a_folder_that_cannot_be_written_is_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"file: cannot be written \(.*\): choose another --report"):
        Pages(tmp_path / "file")
