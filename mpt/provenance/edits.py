"""What edits say about who wrote a function: their shape, their speed, and what had stood in the text before.

A person's lines grow a few characters at a time. An assistant's arrive whole: in one change, or streamed faster than
anybody types. Lines arrive whole in other ways too, and those say nothing new:

    undo, redo, moving, copying, merging back   the lines had been there before: they keep the author they had
    formatting                                  the same text but for white space, quotes, commas and parentheses
    refactoring                                 what moves keeps its author, and only what moves makes a body
    snippets                                    a body that does nothing yet
    a branch switch, a checkout                 the server that saw it says so (cause "git"); git's records speak then

Pure: the time comes with the edits.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from mpt.values import Function, Position, Provenance

Cause = Literal["", "completion", "chat", "agent", "disk", "paste", "typing", "undo", "format", "snippet", "git"]
"""Why a text changed, where somebody knows: the editor, or the server that saw the file change on disk."""

How = str | None
"""How a line came to be there: TYPED, or the words for an arrival; None where it was there already."""

TYPED = "typed"
STREAM = "in a stream faster than typing"
ARRIVALS: dict[Cause, str] = {
    "": "in one edit",
    "completion": "in an inline completion",
    "chat": "in a chat's edit",
    "agent": "in an agent's edit",
    "disk": "when another program changed the file",
    "paste": "in one paste",
}
_SURE: tuple[Cause, ...] = ("completion", "chat", "agent")
_FROM_ANYWHERE = (ARRIVALS[""], ARRIVALS["paste"])

MOST_OF = 0.6
"""Share of a body's lines that must have arrived."""
WORTH_KNOWING = 8
"""Characters, white space apart, from which a line is told from others, and one that arrives alone is no mere word."""
FASTEST_TYPIST = 30.0
"""Characters a second that nobody types over `LEAST_STREAM` characters."""
LEAST_STREAM = 60
PAUSE_S = 0.75
"""A longer pause ends a stream."""
ALIKE = 0.7
"""Share of two lines' characters that match, from which one is the other with a detail changed."""
MOST_COMPARED = 3_000
"""Lines of one change, those at its head that stay the same apart, up to which it is taken to pieces."""
MOST_SEEN = 20_000
"""Lines remembered that are gone."""


@dataclass(frozen=True, slots=True)
class Change:
    """`inserted` stands from `start` to `end` now. old, new: the whole lines it touched, without their ends."""

    start: Position
    end: Position
    inserted: str
    old: tuple[str, ...]
    new: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Batch:
    """Changes that a client sent together, each on the text the one before it left. at: seconds, growing."""

    at: float
    changes: tuple[Change, ...]
    cause: Cause = ""


@dataclass
class _Stream:
    """Insertions each of which began where the one before it ended."""

    began: float
    last: float
    end: Position
    row: int
    characters: int


class History:
    """One document's lines, and how each of them came to be there."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = list(lines)
        self.how: list[How] = [None] * len(lines)
        self._gone: dict[str, How] = {}
        self._counts: Counter[str] | None = None
        self._stream: _Stream | None = None

    def has(self, key: str) -> bool:
        """Whether a line that reads like it is or was here; for the histories of other documents."""
        return key in self._gone or self._present[key] > 0

    @property
    def _present(self) -> Counter[str]:
        """How many lines have a key; counted when first needed, then kept up to date."""
        if self._counts is None:
            self._counts = Counter(map(key_of, self.lines))
        return self._counts

    def mark(self, rows: range, how: Sequence[How]) -> None:
        """Something else knows how these lines came to be there."""
        self.how[rows.start : rows.stop] = how

    def settle(self, in_git: frozenset[str]) -> None:
        """Lines that came from the disk and that git knows (`key_of`) were brought by git, not by another program."""
        for row, how in enumerate(self.how):
            if how == ARRIVALS["disk"] and key_of(self.lines[row]) in in_git:
                self.how[row] = None

    def pieces(self) -> dict[int, str]:
        """The rows, with their keys, of telling lines that came in one piece from nobody knows where."""
        found = {row: key_of(self.lines[row]) for row, how in enumerate(self.how) if how in _FROM_ANYWHERE}
        return {row: key for row, key in found.items() if len(key) >= WORTH_KNOWING}

    def copied(self, rows: range) -> None:
        """These came from another file."""
        for row in rows:
            if self.how[row] in _FROM_ANYWHERE:
                self.how[row] = None

    def apply(self, batch: Batch, elsewhere: Callable[[str], bool] = lambda key: False) -> None:
        """elsewhere: whether a line that reads like it stands in another document, so was copied."""
        for change in batch.changes:
            row, count = change.start.line, len(change.old)
            fresh = self._fresh(change, batch.cause)
            known = self._known(change, elsewhere) if fresh not in (None, TYPED) else {}
            how = _hows(change, self.how[row : row + count], known, fresh)
            self._forget(change)
            if self._counts is not None:
                self._counts.subtract(map(key_of, change.old))
                self._counts.update(map(key_of, change.new))
            self.lines[row : row + count] = change.new
            self.how[row : row + count] = how
            self._follow(change, batch.at)

    def _fresh(self, change: Change, cause: Cause) -> How:
        """How lines come to be there that were not there before."""
        if cause in ("undo", "format", "snippet", "git"):
            return None
        if cause == "typing" or not change.inserted.strip():
            return TYPED
        if cause in _SURE or _is_whole(change):
            return ARRIVALS[cause]
        return TYPED

    def _known(self, change: Change, elsewhere: Callable[[str], bool]) -> dict[str, How]:
        """The author of each line of the change that had been there before, by the line's key."""
        wanted = {key for line in change.new if len(key := key_of(line)) >= WORTH_KNOWING}
        known: dict[str, How] = {key: self._gone[key] for key in wanted if key in self._gone}
        here = {key for key in wanted - known.keys() if self._present[key] > 0}
        if here:
            known |= {key: how for line, how in zip(self.lines, self.how, strict=True) if (key := key_of(line)) in here}
        return known | {key: None for key in wanted - known.keys() if elsewhere(key)}

    def _forget(self, change: Change) -> None:
        """Lines that go are remembered, the states of a line somebody is typing apart."""
        if len(change.old) == len(change.new) == 1 and len(change.inserted) < WORTH_KNOWING and change.inserted:
            return
        row = change.start.line
        for line, how in zip(change.old, self.how[row : row + len(change.old)], strict=True):
            if len(key := key_of(line)) >= WORTH_KNOWING:
                self._gone[key] = how
        while len(self._gone) > MOST_SEEN:
            del self._gone[next(iter(self._gone))]

    def _follow(self, change: Change, at: float) -> None:
        """Keeps up with a stream, and gives its lines to it once nobody can have typed them."""
        stream, removes = self._stream, sum(map(len, change.old)) > sum(map(len, change.new))
        if stream is None or removes or change.start != stream.end or at - stream.last > PAUSE_S:
            self._stream = _Stream(at, at, change.end, change.start.line, len(change.inserted))
            return
        stream.last, stream.end = at, change.end
        stream.characters += len(change.inserted)
        too_fast = stream.characters > FASTEST_TYPIST * (at - stream.began)
        if too_fast and stream.characters >= LEAST_STREAM and change.end.line > stream.row:
            for row in range(stream.row, change.end.line + 1):
                if self.how[row] == TYPED:
                    self.how[row] = STREAM


def judge(history: History, function: Function) -> Provenance:
    """Who wrote the function, as far as the edits tell."""
    first, body = _rows(function)
    told = [history.how[row] for row in body if row < len(history.lines) and not _says_nothing(history.lines[row])]
    arrived = [how for how in told if how not in (None, TYPED)]
    if told and len(arrived) >= MOST_OF * len(told):
        how = max(set(arrived), key=arrived.count)
        if history.how[first] in (None, TYPED):
            return Provenance("assistant", (f"its body arrived {how} under its signature and docstring",))
        return Provenance("assistant", (f"the function arrived with its docstring {how}",))
    if told and told.count(TYPED) >= MOST_OF * len(told):
        return Provenance("person", ("its body was typed",))
    return Provenance()


def key_of(line: str) -> str:
    """What is left of a line when its white space, quotes, commas and parentheses do not count."""
    return _UNIMPORTANT.sub("", line)


_UNIMPORTANT = re.compile(r"""[\s'"(),\\]+""")
_NOTHING = re.compile(r"\s*(#.*|pass|\.\.\.|return|return None|raise NotImplementedError(\(.*\))?|[\])},:]*)\s*")


def _says_nothing(line: str) -> bool:
    return _NOTHING.fullmatch(line) is not None


def _rows(function: Function) -> tuple[int, range]:
    """The row of the signature, and those below the docstring."""
    prompt, start = function.prompt, function.span.start.line
    docstring = start + prompt.signature.count("\n")
    below = docstring + sum(segment.text.count("\n") for segment in prompt.segments) + 1
    return max(docstring - 1, start), range(below, function.span.end.line + 1)


def _is_whole(change: Change) -> bool:
    """Lines rather than words: several of them, or most of one, that came as one piece and are more than a name."""
    inserted = key_of(change.inserted)
    if len(inserted) < WORTH_KNOWING or change.inserted.strip().isidentifier():
        return False
    if sum(bool(line.strip()) for line in change.inserted.splitlines()) >= 2:
        return True
    return any(2 * len(inserted) >= len(key_of(line)) >= WORTH_KNOWING for line in change.new)


def _hows(change: Change, before: Sequence[How], known: dict[str, How], fresh: How) -> list[How]:
    """How each line of `change.new` came to be there. before: of `change.old`. known: of lines seen before, by key."""
    made: list[How] = []
    for old, new, hows in _hunks(change.old, change.new, before):
        if list(map(key_of, old)) == list(map(key_of, new)):
            made += hows
        elif key_of("".join(old)) == key_of("".join(new)):
            made += _reformatted(old, new, hows)
        elif len(old) == len(new) == 1 and fresh == TYPED:
            made.append(hows[0] if hows[0] and old[0].strip() and 2 * len(change.inserted) < len(old[0]) else TYPED)
        elif len(old) == len(new) and all(map(_alike, old, new)):
            made += hows
        else:
            made += _arrived(new, known, fresh)
    return made


def _alike(old: str, new: str) -> bool:
    """The same line with a name or two changed in it."""
    return difflib.SequenceMatcher(None, old.strip(), new.strip()).ratio() >= ALIKE


def _hunks(
    old: Sequence[str], new: Sequence[str], before: Sequence[How]
) -> Iterator[tuple[Sequence[str], Sequence[str], Sequence[How]]]:
    """The change in pieces: stretches that stay, and stretches that give way to others."""
    same = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    yield old[:same], new[:same], before[:same]
    old, new, before = old[same:], new[same:], before[same:]
    if len(old) == len(new) == 1:
        yield old, new, before
        return
    if max(len(old), len(new)) > MOST_COMPARED:
        yield old, new, before
        return
    matcher = difflib.SequenceMatcher(None, [*map(key_of, old)], [*map(key_of, new)])
    for _, a, b, c, d in matcher.get_opcodes():
        yield old[a:b], new[c:d], before[a:b]


def _reformatted(old: Sequence[str], new: Sequence[str], hows: Sequence[How]) -> list[How]:
    """Each new line has the author of the old line in which its first character stood."""
    owners = [how for line, how in zip(old, hows, strict=True) for _ in key_of(line)]
    made, at = [], 0
    for line in new:
        made.append(owners[min(at, len(owners) - 1)] if owners else None)
        at += len(key_of(line))
    return made


def _arrived(new: Sequence[str], known: dict[str, How], fresh: How) -> list[How]:
    """Lines that had been there keep their author if most of the piece had; else all of it is fresh."""
    telling = [key for line in new if len(key := key_of(line)) >= WORTH_KNOWING]
    moved = [key for key in telling if key in known]
    if telling and len(moved) >= MOST_OF * len(telling):
        return [known.get(key_of(line)) for line in new]
    return [fresh if line.strip() else None for line in new]
