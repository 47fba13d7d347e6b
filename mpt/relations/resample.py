"""The ablation of the paper's relation: the prompt unchanged. Its programs differ by the model's sampling alone."""

from __future__ import annotations

from collections.abc import Sequence

from mpt.values import Paraphrase, Prompt, Reply, Request


def requests(prompt: Prompt, count: int, temperature: float, first: int = 0) -> tuple[Request, ...]:
    """Nothing is asked."""
    return ()


def read(prompt: Prompt, count: int, replies: Sequence[Reply]) -> tuple[Paraphrase, ...]:
    return (Paraphrase(prompt, "resample", 1.0),) * count
