"""The paraphrase relation, its ablation, and the registry of both."""

from __future__ import annotations

import pytest

from mpt import source
from mpt.relations import RELATIONS, paraphrase
from mpt.values import NoProgram, Origin, Paraphrase, Prompt, Reply

PROMPT = source.parse_prompt(
    'def f(xs):\n    """Return the sum of all numbers in the list.\n\n    >>> f([1, 2])\n    3\n\n'
    '    If the list is empty, return 0.\n    """\n',
    "f",
)
SUM, EMPTY = "Add up every number in the list and return it.", "For an empty list, return 0."


def first(reply: str, prompt: Prompt = PROMPT, other: str = EMPTY) -> Paraphrase | NoProgram:
    [read] = paraphrase.read(prompt, 1, [Reply(reply), Reply(other)])
    return read


def told(reply: str) -> str:
    """How the first stretch reads after this reply."""
    read = first(reply)
    assert isinstance(read, Paraphrase), read
    return next(segment.text for segment in read.prompt.segments if segment.kind == "description")


# --- asking ---------------------------------------------------------------------------------------


def test_a_request_a_stretch_and_sample_in_the_papers_words() -> None:
    requests = paraphrase.requests(PROMPT, 2, 1.0, first=5)
    assert [request.messages[-1].content for request in requests] == [
        "Can you paraphrase the following paragraph?\n\nReturn the sum of all numbers in the list.",
        "Can you paraphrase the following paragraph?\n\nIf the list is empty, return 0.",
    ] * 2
    assert [request.sample for request in requests] == [5, 5, 6, 6]
    assert {request.temperature for request in requests} == {1.0}
    assert {request.template for request in requests} == {paraphrase.TEMPLATE}
    assert len({request.messages for request in requests}) == 2


def test_only_the_description_is_sent() -> None:
    sent = "".join(m.content for request in paraphrase.requests(PROMPT, 1, 1.0) for m in request.messages)
    assert ">>>" not in sent
    assert "def f" not in sent


def test_the_reply_is_bounded_by_the_text() -> None:
    long = source.parse_prompt(f'def f(xs):\n    """{"Say it. " * 500}"""\n', "f")
    [short_request, _], [long_request] = paraphrase.requests(PROMPT, 1, 1.0), paraphrase.requests(long, 1, 1.0)
    assert short_request.max_tokens < 120
    assert long_request.max_tokens == paraphrase.MAX_TOKENS


def test_a_long_list_of_fields_is_not_asked_about_one_by_one() -> None:
    fields = "".join(f"        x{n}: the number {'very ' * n}large\n" for n in range(9))
    prompt = source.parse_prompt(f'def f(xs):\n    """Do it.\n\n    Args:\n{fields}    """\n', "f")
    requests = paraphrase.requests(prompt, 1, 1.0)
    assert len(requests) == paraphrase.MAX_STRETCHES
    replies = [Reply(f"new {n}") for n in range(len(requests))]
    [read] = paraphrase.read(prompt, 1, replies)
    assert isinstance(read, Paraphrase)
    assert read.prompt.description.split("\n\n")[:2] == ["Do it.", "the number large"]
    assert read.prompt.description.endswith("new 0\n\nnew 1\n\nnew 2\n\nnew 3")


# --- reading --------------------------------------------------------------------------------------


def test_examples_and_signature_stay_and_each_sample_has_its_own_replies() -> None:
    replies = [Reply(text) for text in ("One.", "Two.", "Three.", "Four.")]
    one, other = paraphrase.read(PROMPT, 2, replies)
    assert isinstance(one, Paraphrase)
    assert isinstance(other, Paraphrase)
    assert one.prompt.text == PROMPT.text.replace("Return the sum of all numbers in the list.", "One.").replace(
        "If the list is empty, return 0.", "Two."
    )
    assert other.prompt.description == "Three.\n\nFour."
    assert one.relation == "paraphrase"


def test_similarity_is_that_of_the_descriptions() -> None:
    same = first("Return the sum of all numbers in the list.", other="If the list is empty, return 0.")
    changed = first(SUM)
    assert isinstance(same, Paraphrase)
    assert isinstance(changed, Paraphrase)
    assert same.similarity == 1
    assert 0 < changed.similarity < 1


@pytest.mark.parametrize(
    "reply",
    [
        SUM,
        f"\n{SUM}\n",
        f'"{SUM}"',
        f"“{SUM}”",
        f"**{SUM}**",
        f"```\n{SUM}\n```",
        f"```text\n{SUM}\n```",
        f"Sure! Here is a paraphrased version of the paragraph:\n\n{SUM}",
        f"Sure, here's the reworded paragraph: {SUM}",
        f"Certainly! {SUM}",
        f'Paraphrased: "{SUM}"',
        f"当然可以：\n{SUM}",
        f"Hier ist der Text:\n\n{SUM}",
        f"{SUM}\n\nLet me know if you need anything else!",
        f"{SUM}\n\nFor example:\n>>> f([5])\n5",
        f"{SUM}\n\nExamples:\nf([5]) == 5\nf([6]) == 6\nThat is all.",
    ],
)
def test_what_the_model_says_around_it_is_taken_away(reply: str) -> None:
    assert told(reply) == SUM


@pytest.mark.parametrize(
    "text",
    [
        "返回列表中所有数字的总和。",
        "リスト内のすべての数値の合計を返します。",
        "Gib die Summe aller Zahlen der Liste zurück.",
        "Return the sum: every number counts.",
        'Return the "sum" of the list, or "0".',
        "Sum",
    ],
)
def test_prose_stays_as_it_is(text: str) -> None:
    assert told(text) == text


def test_a_line_that_announces_a_list_is_no_chatter() -> None:
    assert told("Do this:\n- add them up\n- return that") == "Do this:\n    - add them up\n    - return that"


def test_a_paragraph_that_is_quoted_itself_keeps_its_quotes() -> None:
    prompt = source.parse_prompt("def f(xs):\n    '''\"Sum\" or \"total\"'''\n", "f")
    [read] = paraphrase.read(prompt, 1, [Reply('"Total" or "sum"')])
    assert isinstance(read, Paraphrase)
    assert read.prompt.description == '"Total" or "sum"'


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Reply(""), "the reply is empty"),
        (Reply(" \n"), "the reply is empty"),
        (Reply("42."), "the reply holds no text"),
        (Reply("```python\ndef f(xs):\n    return sum(xs)\n```"), "the reply is code, not a paragraph"),
        (Reply("Here it is:\n\ndef f(xs):\n    '''Add up.'''\n"), "the reply is code, not a paragraph"),
        (Reply("import math"), "the reply is code, not a paragraph"),
        (Reply("Examples:\n>>> f([1])\n1"), "the reply holds no text"),
        (Reply(SUM, completion_tokens=10_000), "the reply was cut off after 10000 tokens"),
    ],
)
def test_what_is_no_paraphrase(reply: Reply, reason: str) -> None:
    read = paraphrase.read(PROMPT, 2, [Reply("Fine."), Reply("Fine."), reply, reply])
    assert isinstance(read[0], Paraphrase)
    assert read[1] == NoProgram(reason, Origin("paraphrase", "paraphrase", 1))


def test_a_stretch_without_a_usable_reply_stays_as_it_was() -> None:
    read = first("", other=EMPTY)
    assert isinstance(read, Paraphrase)
    assert read.prompt.description == f"Return the sum of all numbers in the list.\n\n{EMPTY}"


# --- the others -----------------------------------------------------------------------------------


def test_resampling_asks_nothing_and_changes_nothing() -> None:
    resample = RELATIONS["resample"]
    assert resample.requests(PROMPT, 5, 1.0) == ()
    assert resample.read(PROMPT, 3, []) == (Paraphrase(PROMPT, "resample", 1.0),) * 3


@pytest.mark.parametrize("name", RELATIONS)
def test_each_relation_says_its_name(name: str) -> None:
    relation = RELATIONS[name]
    replies = [Reply(SUM) for _ in relation.requests(PROMPT, 2, 1.0)]
    read = relation.read(PROMPT, 2, replies)
    assert [one.relation for one in read if isinstance(one, Paraphrase)] == [name, name]
