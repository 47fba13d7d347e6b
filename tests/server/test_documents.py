"""Documents under edits, and columns in each encoding: laws, checked against the whole text done again."""

from __future__ import annotations

import re
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from mpt.values import Position
from mpt_server.documents import Document, canonical, path_of
from mpt_server.positions import Encoding, column, from_client, split_lines, to_client, width

ENCODINGS: tuple[Encoding, ...] = get_args(Encoding)
TEXTS = st.text(st.sampled_from("ab \t\r\n\x0c\x00\x85\u2028é漢😀\ud83d"), max_size=30)
NUMBERS = st.integers(0, 12)


@given(TEXTS)
def test_lines_are_the_text_and_end_where_lsp_says(text: str) -> None:
    lines = split_lines(text)
    assert "".join(lines) == text
    assert len(lines) == len(re.findall(r"\r\n|\r|\n", text)) + 1
    assert all(re.fullmatch(r"[^\r\n]*(\r\n|\r|\n)", line) for line in lines[:-1])


@given(TEXTS, st.sampled_from(ENCODINGS))
def test_every_place_goes_to_the_client_and_back(text: str, encoding: Encoding) -> None:
    lines = split_lines(text)
    for row, line in enumerate(lines):
        for number in range(len(line.rstrip("\r\n")) + 1):
            place = Position(row, number)
            assert from_client(lines, to_client(lines, place, encoding), encoding) == place


@given(TEXTS, NUMBERS, NUMBERS, st.sampled_from(ENCODINGS))
def test_any_place_a_client_names_is_in_the_text(text: str, row: int, units: int, encoding: Encoding) -> None:
    lines = split_lines(text)
    place = from_client(lines, types.Position(row, units), encoding)
    assert place.line < len(lines)
    assert place.column <= len(lines[place.line].rstrip("\r\n"))


@pytest.mark.parametrize(("encoding", "units"), [("utf-8", 4), ("utf-16", 2), ("utf-32", 1)])
def test_an_emoji_before_the_place(encoding: Encoding, units: int) -> None:
    assert width("😀", encoding) == units
    assert column("😀x = 1\n", units + 1, encoding) == 2


def test_a_place_within_a_character_is_its_start() -> None:
    assert column("a😀b", 2, "utf-16") == 1
    assert column("a😀b", 3, "utf-8") == 1


edits = st.tuples(NUMBERS, NUMBERS, NUMBERS, NUMBERS, TEXTS)


@given(TEXTS, st.lists(edits, max_size=5), st.sampled_from(ENCODINGS))
def test_edits_give_the_text_that_the_client_has(text: str, changes: list[tuple], encoding: Encoding) -> None:
    document = Document("file:///a.py", 1, text, encoding)
    for row, units, other_row, other_units, new in changes:
        places = types.Range(types.Position(row, units), types.Position(other_row, other_units))
        span = document.span(places)
        before = "".join(document.lines)
        starts = [sum(map(len, document.lines[:number])) for number in range(len(document.lines))]
        start, end = starts[span.start.line] + span.start.column, starts[span.end.line] + span.end.column
        edit = document.apply(types.TextDocumentContentChangePartial(places, new))
        assert document.text == before[:start] + new + before[end:]
        assert document.lines == split_lines(document.text)
        assert edit.removed == span


def test_a_whole_text_replaces_the_whole_text() -> None:
    document = Document("file:///a.py", 1, "a\nb")
    document.apply(types.TextDocumentContentChangeWholeDocument("c\r\nd\re"))
    assert document.lines == ["c\r\n", "d\r", "e"]


def test_carriage_return_and_line_feed_that_meet_are_one_line_end() -> None:
    document = Document("file:///a.py", 1, "a\rxb\nc")
    document.apply(types.TextDocumentContentChangePartial(types.Range(types.Position(1, 0), types.Position(1, 2)), ""))
    assert document.lines == ["a\r\n", "c"]


@pytest.mark.parametrize(
    "spellings",
    [
        ("file:///c%3A/a.py", "file:///c:/a.py", "file:///C:/a.py", "file:///C%3a/a.py", "FILE:///c:/a.py"),
        ("file:///a/%C3%A9.py", "file:///a/é.py"),
        ("untitled:Untitled-1",),
        ("vscode-notebook-cell:/a.ipynb#X1sZmlsZQ%3D%3D", "vscode-notebook-cell:/a.ipynb#X1sZmlsZQ=="),
    ],
)
def test_spellings_of_one_uri(spellings: tuple[str, ...]) -> None:
    assert len(set(map(canonical, spellings))) == 1


@pytest.mark.parametrize("uri", ["untitled:Untitled-1", "http://x/a.py", "file:///a%00b", "", "[", "file://[/a"])
def test_a_uri_that_is_no_file(uri: str) -> None:
    assert path_of(uri) is None


@given(st.text())
def test_no_uri_breaks_anything(uri: str) -> None:
    canonical(uri)
    path_of(uri)
