"""str and bytes."""

from __future__ import annotations

import re
import string
from typing import Any

from mpt.worker.shapes.base import Shape, Sized, Source, Unencodable

_EXTENDED = (string.ascii_lowercase, string.ascii_uppercase, string.digits)
_TOKEN = re.compile(r"[A-Za-z]+|\d+|\s+|.", re.DOTALL)
_ODD = string.ascii_lowercase + string.ascii_uppercase + string.digits + "  .,!?-'_"
"""What a str may hold that its samples do not."""


class Str(Sized):
    def __init__(self, spec: dict[str, Any], items: list[Shape]) -> None:
        super().__init__(spec, items)
        self.samples = [sample for sample in self.samples if self.fits(len(sample))]
        shown = "".join(self.samples)
        self.alphabet = _alphabet(shown) if shown else _ODD
        self.odd = "".join(dict.fromkeys(self.alphabet + _ODD))[:256] if self.kind == "str" else self.alphabet
        self.letters = frozenset(self.odd)
        self.brackets = [pair for pair in ("()", "[]", "{}", "<>") if self.letters.issuperset(pair)]
        self.tokens = list(dict.fromkeys(token for sample in self.samples for token in _TOKEN.findall(sample)))[:256]

    def decode(self, source: Source) -> Any:
        how = source.byte() % 4
        if how == 3 and self.samples:
            return self._sample(source)
        if how == 2 and self.tokens:
            count = source.byte() % 12
            text = "".join(self.tokens[source.byte() % len(self.tokens)] for _ in range(count))
            return self.fit(text)
        alphabet = self.odd if how == 1 else self.alphabet
        return "".join(alphabet[source.byte() % len(alphabet)] for _ in range(self.length(source)))

    def encode(self, value: Any, out: bytearray) -> None:
        if not self.holds(value):
            raise Unencodable
        if value in self.samples[:256]:
            out += bytes((3, self.samples.index(value)))
            return
        plain = all(letter in self.alphabet for letter in value)
        out.append(0 if plain else 1)
        self.put_length(len(value), out)
        out += bytes((self.alphabet if plain else self.odd).index(letter) for letter in value)

    def holds(self, value: Any) -> bool:
        return type(value) is str and self.fits(len(value)) and self.letters.issuperset(value)

    def fit(self, text: str) -> str:
        """The text without letters that are not allowed, cut or filled up to the length that is."""
        allowed = "".join(letter for letter in text[: self.longest] if letter in self.letters)
        return allowed.ljust(self.shortest, self.alphabet[0])


class Bytes(Sized):
    def decode(self, source: Source) -> Any:
        return source.take(self.length(source))

    def encode(self, value: Any, out: bytearray) -> None:
        if not self.holds(value):
            raise Unencodable
        self.put_length(len(value), out)
        out += value

    def holds(self, value: Any) -> bool:
        return type(value) is bytes and self.fits(len(value))


def _alphabet(text: str) -> str:
    """The characters of the samples, in order, then those of the kinds they show three of; 256 at most."""
    letters = dict.fromkeys(text)
    for kind in _EXTENDED:
        if len(letters.keys() & set(kind)) >= 3:
            letters.update(dict.fromkeys(kind))
    return "".join(letters)[:256]
