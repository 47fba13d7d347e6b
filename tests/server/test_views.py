"""Functions move with the edits around them, and go with the edits inside."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from mpt.source import find_functions
from mpt_server.documents import Document
from mpt_server.views import Found, after

TEXT = '''import math
😀 = 1


def first(a):
    """Adds one."""
    return a + 1


class Box:
    def second(self, b):
        """Adds two."""
        return b + 2
'''


def found_in(text: str) -> tuple[Found, ...]:
    return tuple(Found(function, "") for function in find_functions(text, "a.py"))


@given(
    st.integers(0, 15),
    st.integers(0, 25),
    st.integers(0, 2),
    st.integers(0, 25),
    st.sampled_from(["", "x", "\n", "😀\n\n"]),
)
def test_what_is_left_stands_where_the_text_says(row: int, start: int, rows: int, end: int, new: str) -> None:
    document = Document("file:///a.py", 1, TEXT)
    found = found_in(TEXT)
    places = types.Range(types.Position(row, start), types.Position(row + rows, end))
    left = after(found, document.apply(types.TextDocumentContentChangePartial(places, new)))
    for one in left:
        span = one.function.name_span
        assert span.start.line == span.end.line
        name = document.lines[span.start.line][span.start.column : span.end.column]
        assert name == one.function.name.rpartition(".")[2]


def test_an_edit_inside_drops_only_that_function() -> None:
    document = Document("file:///a.py", 1, TEXT)
    found = found_in(TEXT)
    here = types.Position(6, 14)
    edit = document.apply(types.TextDocumentContentChangePartial(types.Range(here, here), "0"))
    assert [one.function.name for one in after(found, edit)] == ["Box.second"]


def test_a_new_line_at_the_end_leaves_it() -> None:
    document = Document("file:///a.py", 1, TEXT)
    found = found_in(TEXT)
    here = types.Position(6, len("    return a + 1"))
    edit = document.apply(types.TextDocumentContentChangePartial(types.Range(here, here), "\n"))
    assert [one.function.name for one in after(found, edit)] == ["first", "Box.second"]
