"""The paper's relation (§3.1): the description reworded by a language model; signature and examples stay.

Every stretch of description is asked about by itself, so that the examples between them keep their place. A stretch
whose reply is unusable stays as it was; where none is usable, there is no paraphrase.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Sequence
from itertools import takewhile

from mpt import similarity, source
from mpt.source import doclines, docstring, names
from mpt.values import Message, NoProgram, Origin, Paraphrase, Prompt, Reply, Request

TEMPLATE = "paraphrase-1"
MAX_STRETCHES = 4
"""The longest stretches of a description are reworded, the others stay: what a check asks for is bounded."""
MAX_TOKENS = 1500

_INSTRUCTION = (
    "You reword text. Answer with the reworded paragraph only, in the language it is written in. Keep its meaning: "
    "every condition, number, name and symbol. No introduction, no comment, no code, no example of your own."
)
_QUESTION = "Can you paraphrase the following paragraph?\n\n{paragraph}"


def requests(prompt: Prompt, count: int, temperature: float, first: int = 0) -> tuple[Request, ...]:
    """One request a stretch and sample, sample by sample."""
    asked = _asked(prompt).values()
    return tuple(_request(one, temperature, sample) for sample in range(first, first + count) for one in asked)


def read(prompt: Prompt, count: int, replies: Sequence[Reply]) -> tuple[Paraphrase | NoProgram, ...]:
    """One paraphrase a sample, or the reason why there is none."""
    stretches = len(_asked(prompt))
    return tuple(
        _read_sample(prompt, replies[sample * stretches : (sample + 1) * stretches], sample) for sample in range(count)
    )


# --- what is asked --------------------------------------------------------------------------------


def _request(paragraph: str, temperature: float, sample: int) -> Request:
    messages = (Message("system", _INSTRUCTION), Message("user", _QUESTION.format(paragraph=paragraph)))
    return Request(messages, temperature, _max_tokens(paragraph), TEMPLATE, sample)


def _max_tokens(paragraph: str) -> int:
    """A token is about four letters of English or one Chinese character, and a rewording may be longer."""
    return min(64 + len(paragraph), MAX_TOKENS)


def _stretches(prompt: Prompt) -> list[str]:
    return [inspect.cleandoc(segment.text) for segment in prompt.segments if segment.kind == "description"]


def _asked(prompt: Prompt) -> dict[int, str]:
    """Which stretches are reworded, by their number, in order."""
    numbered = list(enumerate(_stretches(prompt)))
    longest = sorted(numbered, key=lambda one: -len(one[1]))[:MAX_STRETCHES]
    return dict(sorted(longest))


# --- what came back -------------------------------------------------------------------------------


class _NoProse(Exception):
    """Why a reply is no rewording."""


def _read_sample(prompt: Prompt, replies: Sequence[Reply], sample: int) -> Paraphrase | NoProgram:
    texts = [segment.text for segment in prompt.segments if segment.kind == "description"]
    reasons = []
    for (number, paragraph), reply in zip(_asked(prompt).items(), replies, strict=True):
        try:
            texts[number] = _prose(reply, paragraph)
        except _NoProse as error:
            reasons.append(str(error))
    if len(reasons) < len(replies):
        try:
            reworded = source.reword(prompt, texts)
        except ValueError as misfit:
            reasons.append(str(misfit))
        else:
            alike = similarity.of_texts(prompt.description, reworded.description)
            return Paraphrase(reworded, "paraphrase", alike)
    reason = reasons[-1] if reasons else "there is no description to reword"
    return NoProgram(reason, Origin("paraphrase", "paraphrase", sample))


def _prose(reply: Reply, paragraph: str) -> str:
    """The rewording in a reply, what the model says around it taken away. Raises _NoProse."""
    if reply.completion_tokens >= _max_tokens(paragraph):
        raise _NoProse(f"the reply was cut off after {reply.completion_tokens} tokens")
    lines = [line for line in reply.text.strip().splitlines() if not line.lstrip().startswith("```")]
    text = _without_quotes(_without_chatter("\n".join(lines).strip(), paragraph), paragraph)
    if _is_code(text):
        raise _NoProse("the reply is code, not a paragraph")
    text = _before_examples(text)
    if not any(map(str.isalpha, text)):
        raise _NoProse("the reply holds no text" if reply.text.strip() else "the reply is empty")
    return text


_ASIDE = re.compile(
    r"\A(?:(?:sure|certainly|of course|absolutely)\b[^.!:\n]{0,60}[.!:]\s+)?"
    r"(?:[^\n:]{0,100}(?:paraphras|rephras|reword|rewrit)[^\n:]{0,60}:\s+)?",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"(?:let me know|i hope|feel free|is there anything|this (?:version|paraphrase))\b", re.IGNORECASE
)
_COLONS = (":", "：")
_QUOTES = (('"', '"'), ("'", "'"), ("“", "”"), ("„", "“"), ("「", "」"), ("**", "**"), ("`", "`"))


def _without_chatter(text: str, paragraph: str) -> str:
    """An opening line that ends in a colon where no line of the paragraph does, unless a list follows, in any
    language; English courtesies before and after."""
    first, _, rest = text.partition("\n")
    opens = first.rstrip().endswith(_COLONS) and re.match(r"\s*[^\s\d*•-]", rest)
    if opens and not any(line.rstrip().endswith(_COLONS) for line in paragraph.splitlines()):
        text = rest.strip()
    text = _ASIDE.sub("", text, count=1)
    *before, last = text.split("\n\n")
    return "\n\n".join(before) if before and _CLOSING.match(last.strip()) else text


def _without_quotes(text: str, paragraph: str) -> str:
    for opening, closing in _QUOTES:
        inner = text.removeprefix(opening).removesuffix(closing)
        quoted = len(text) == len(inner) + len(opening) + len(closing)
        if quoted and opening not in inner and not paragraph.startswith(opening):
            return inner.strip()
    return text


def _is_code(text: str) -> bool:
    if any(line.lstrip().startswith("def ") and line.rstrip().endswith(":") for line in text.splitlines()):
        return True
    try:
        return any(not isinstance(node, ast.Expr) for node in names.parse(text).body)
    except SyntaxError:
        return False


def _before_examples(text: str) -> str:
    """Examples of the model's own would be taken for the person's."""
    kept = list(takewhile(lambda segment: segment.kind != "example", docstring.split_content(text)))
    lines = "".join(segment.text for segment in kept).rstrip().splitlines()
    while lines and (not lines[-1].strip() or doclines.heading(lines, len(lines) - 1)):
        lines.pop()
    return "\n".join(lines).strip()
