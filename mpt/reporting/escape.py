"""What a program printed, returned or is called, made harmless before it reaches a terminal, a hover or a page."""

from __future__ import annotations

import re
import unicodedata

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode categories that steer a terminal, reorder text, or cannot be seen."""


def printable(text: str, limit: int = 300) -> str:
    """One line of visible characters: escape codes, bidirectional controls and line ends become backslash escapes.

    Longer than `limit` code points it is cut, with an ellipsis.
    """
    shown = "".join(_visible(char) for char in text[: limit + 1])
    return shown if len(shown) <= limit else shown[: limit - 1] + "…"


def fence(text: str, language: str = "") -> str:
    """A fenced block that `text` cannot leave."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    ticks = "`" * max(3, longest + 1)
    return f"{ticks}{language}\n{text}\n{ticks}"


def _visible(char: str) -> str:
    if unicodedata.category(char) not in _HIDDEN:
        return char
    return char.encode("unicode_escape", "surrogatepass").decode("ascii")
