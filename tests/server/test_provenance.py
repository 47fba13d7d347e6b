"""Who wrote it: the recorded edit sequences of tests/fixtures/provenance, each with the right answer.

tests/provenance/record.py records them anew from a real editor; scenarios.py says what happens in each.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from mpt.provenance.edits import Batch, Change, History, judge, key_of
from mpt.source import find_functions
from mpt_server.documents import Document

FIXTURES = sorted((Path(__file__).parent.parent / "fixtures" / "provenance").glob("*.json"))
MISSED = {"completion_word_by_word"}
"""Assistants' functions that cannot be told from typing by the edits alone."""


@pytest.mark.parametrize("path", FIXTURES, ids=[path.stem for path in FIXTURES])
def test_recorded_edits(path: Path) -> None:
    recorded = json.loads(path.read_text(encoding="utf-8"))
    document, history = replayed(recorded)
    functions = {function.name: function for function in find_functions(document.text, "app.py")}
    for name, truth in recorded["assistant"].items():
        told = judge(history, functions[name])
        if path.stem in MISSED:
            assert truth
            assert told.author != "assistant", "not missed any more: take it off the list"
        else:
            assert (told.author == "assistant") == truth, (name, told, document.text)
        if path.stem.startswith("typed_") and name != "mean":
            assert told.author == "person", (name, told)


def replayed(recorded: dict[str, Any]) -> tuple[Document, History]:
    documents = {name: Document(name, 0, text) for name, text in recorded["documents"].items()}
    histories = {name: History([line.rstrip("\r\n") for line in one.lines]) for name, one in documents.items()}
    for event in recorded["events"]:
        name = event["name"]
        history, others = histories[name], [one for other, one in histories.items() if other != name]
        edits = [documents[name].apply(change(one)) for one in event["changes"]]
        changes = tuple(Change(edit.removed.start, edit.end, edit.text, edit.old, edit.new) for edit in edits)
        cause = "disk" if event.get("on_disk") else ""
        history.apply(
            Batch(event["at"], changes, cause), lambda key, others=others: any(one.has(key) for one in others)
        )
        history.settle(frozenset(map(key_of, event.get("in_git", ()))))
        assert history.lines == [line.rstrip("\r\n") for line in documents[name].lines]
    return documents["app.py"], histories["app.py"]


def change(raw: dict[str, Any]) -> types.TextDocumentContentChangeEvent:
    if "range" not in raw:
        return types.TextDocumentContentChangeWholeDocument(raw["text"])
    start, end = (types.Position(**raw["range"][which]) for which in ("start", "end"))
    return types.TextDocumentContentChangePartial(types.Range(start, end), raw["text"])


def test_there_are_enough_of_them() -> None:
    assert len(FIXTURES) >= 40
