"""Who wrote the functions of each document: edits as they come, and what was found out in earlier sessions.

A document that is closed is remembered: an editor that reads a file again from the disk may close it and open it.
"""

from __future__ import annotations

import json
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence

from mpt.errors import StoreError
from mpt.ports import Store
from mpt.provenance.edits import ARRIVALS, Batch, Cause, Change, History, How, judge, key_of
from mpt.values import Function, Position, Provenance
from mpt_server.digests import digest
from mpt_server.documents import Document, Edit
from mpt_server.positions import without_end

KIND = "author"
MOST_REMEMBERED = 200
"""Documents whose edits are remembered, the closed ones among them."""

LARGEST = 100_000
"""Lines of a document whose edits are followed."""

CAUSES: dict[str, Cause] = {
    "inlineCompletionAccept": "completion",
    "inlineCompletionPartialAccept": "completion",
    "Chat.applyEdits": "chat",
    "applyEdits": "agent",
    "type": "typing",
    "cursor": "typing",
    "paste": "paste",
    "undo": "undo",
    "redo": "undo",
    "format": "format",
    "snippet": "snippet",
    "reloadFromDisk": "disk",
}
"""Why an editor says a document changed, in our words."""


class Authors:
    """The histories of one client's documents. Everything but `recall` and `remember` is for the event loop."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._clock = clock
        self._histories: OrderedDict[str, History] = OrderedDict()
        self._causes: dict[str, str] = {}
        self._kept: set[str] = set()

    # --- what happens -----------------------------------------------------------------------------

    def opened(self, key: str, document: Document) -> None:
        """key: the document's canonical URI. A very large document has no history."""
        if len(document.lines) > LARGEST:
            return
        lines = [without_end(line) for line in document.lines]
        known = self._histories.get(key)
        if known is None:
            self._histories[key] = History(lines)
        elif known.lines != lines:
            self._apply(key, [_whole(known.lines, lines)], document)
        self._histories.move_to_end(key)
        while len(self._histories) > MOST_REMEMBERED:
            self._histories.popitem(last=False)

    def told(self, key: str, cause: str) -> None:
        """The editor says why the document's next change comes."""
        self._causes[key] = cause

    def changed(self, key: str, edits: Sequence[Edit], document: Document) -> None:
        if key not in self._histories:
            return
        changes = [Change(edit.removed.start, edit.end, edit.text, edit.old, edit.new) for edit in edits]
        self._apply(key, changes, document)
        if len(self._histories[key].lines) != len(document.lines):  # \r and \n met or were parted
            self._histories[key] = History([without_end(line) for line in document.lines])

    def settle(self, key: str, in_git: frozenset[str]) -> None:
        if key in self._histories:
            self._histories[key].settle(in_git)

    def unsettled(self, key: str) -> bool:
        """Whether lines came from the disk, and git has not been asked for them."""
        return key in self._histories and ARRIVALS["disk"] in self._histories[key].how

    def pieces(self, key: str) -> dict[int, str]:
        """Rows and keys of lines that may have been pasted from elsewhere."""
        return self._histories[key].pieces() if key in self._histories else {}

    def copied(self, key: str, function: Function) -> None:
        """The function's lines were pasted from another file."""
        rows = _rows(function)
        if key in self._histories and rows.stop <= len(self._histories[key].how):
            self._histories[key].copied(rows)

    def _apply(self, key: str, changes: Sequence[Change], document: Document) -> None:
        cause = CAUSES.get(self._causes.pop(key, ""), "")
        if not cause and any(change.inserted.count("\n") for change in changes) and _is_on_disk(document):
            cause = "disk"
        others = [history for other, history in self._histories.items() if other != key]
        batch = Batch(self._clock(), tuple(changes), cause)
        self._histories[key].apply(batch, lambda line: any(history.has(line) for history in others))

    # --- what it means ----------------------------------------------------------------------------

    def author(self, key: str, function: Function) -> Provenance:
        return judge(self._histories[key], function) if key in self._histories else Provenance()

    def mark(self, key: str, function: Function, how: Sequence[How]) -> None:
        """Goes on from what an earlier session knew of the function's lines."""
        history, rows = self._histories.get(key), _rows(function)
        if (
            history
            and len(how) == len(rows)
            and rows.stop <= len(history.lines)
            and not any(history.how[row] for row in rows)
        ):
            history.mark(rows, how)

    def lines_of(self, key: str, function: Function) -> list[How]:
        return [self._histories[key].how[row] for row in _rows(function) if row < len(self._histories[key].how)]

    # --- across sessions, for any thread ----------------------------------------------------------

    def recall(self, function: Function) -> list[How] | None:
        """How each of its lines came to be there, where an earlier session saw it."""
        try:
            text = self._store.get(KIND, _text_key(function))
        except StoreError:
            return None
        return json.loads(text) if text else None

    def remember(self, functions: Iterable[tuple[Function, list[How]]]) -> None:
        """Raises StoreError."""
        for function, how in functions:
            text, key = json.dumps(how), _text_key(function)
            if key + text not in self._kept:
                self._store.put(KIND, key, text)
                self._kept.add(key + text)


def _rows(function: Function) -> range:
    return range(function.span.start.line, function.span.end.line + 1)


def _text_key(function: Function) -> str:
    return digest(key_of(function.source))


def _whole(old: Sequence[str], new: Sequence[str]) -> Change:
    return Change(Position(0, 0), Position(len(new) - 1, len(new[-1])), "\n".join(new), tuple(old), tuple(new))


def _is_on_disk(document: Document) -> bool:
    try:
        return document.path is not None and document.path.read_bytes() == document.text.encode(
            "utf-8", "surrogatepass"
        )
    except OSError:
        return False
