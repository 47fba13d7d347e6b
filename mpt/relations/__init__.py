"""Metamorphic relations: from one prompt to others whose programs must behave the same. One file a relation.

A new relation is a module with the two functions of `Relation`, and a line in RELATIONS.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Protocol

from mpt.relations import paraphrase, resample
from mpt.values import NoProgram, Paraphrase, Prompt, Reply, Request


class Relation(Protocol):
    """What a relation's module offers. Pure: who asks the language model is the pipeline."""

    def requests(self, prompt: Prompt, count: int, temperature: float, first: int = 0) -> tuple[Request, ...]:
        """What to ask for `count` prompts; they are samples `first`, `first + 1`, … of the same questions."""

    def read(self, prompt: Prompt, count: int, replies: Sequence[Reply]) -> tuple[Paraphrase | NoProgram, ...]:
        """The `count` prompts in the replies to those requests, in the same order; NoProgram says why one is none."""


RELATIONS: Mapping[str, Relation] = MappingProxyType({"paraphrase": paraphrase, "resample": resample})
