"""What `mpt check --dry-run` prints: word for word what a check would send to the language model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mpt import codegen, source
from mpt.relations import RELATIONS
from mpt.settings import Settings
from mpt.values import Function, Message


def sent(function: Function, settings: Settings) -> Iterator[str]:
    """The text, piece by piece: a rewording is asked for as often as there are paraphrases, and so is a program."""
    yield f"{function.path}::{function.name}"
    if function.obstacle is not None:
        yield f"nothing is sent: {function.obstacle}"
        return
    prompt = source.told(function, settings.context)
    rewording = RELATIONS["paraphrase"].requests(prompt, 1, settings.paraphrase_temperature)
    for request in rewording:
        yield from _messages(f"{settings.paraphrases} times, for rewordings", request.messages)
    program = codegen.request(prompt, settings.program_temperature, place=function.place)
    yield from _messages(f"{settings.paraphrases} times, the description reworded each time", program.messages)


def _messages(how: str, messages: Sequence[Message]) -> Iterator[str]:
    yield f"--- {how}"
    for message in messages:
        yield f"[{message.role}]\n{message.content}"
