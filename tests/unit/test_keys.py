"""A key changes with everything it stands for, and with nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mpt.keys import inputs_key, program_key, request_key
from mpt.spelling import value_of
from mpt.values import (
    Arguments,
    Campaign,
    FuzzBudget,
    Message,
    Origin,
    Parameter,
    Program,
    Request,
    Shape,
)

REQUEST = Request((Message("user", "hi"),), temperature=1.0, max_tokens=10, template="t1")
TARGET = Program("def f(x): return x", "f", Origin("target"))


def test_the_same_request_has_the_same_key_in_every_process():
    assert request_key(REQUEST, "m") == "db143a252d2ea66bdff53988d3debbfb2f6fc2a9bc78bc0c013d7c2e3175c3b3"


@pytest.mark.parametrize(
    "changes",
    [
        {"messages": (Message("system", "hi"),)},
        {"messages": (Message("user", "hi"), Message("user", "hi"))},
        {"temperature": 0.9},
        {"max_tokens": 11},
        {"template": "t2"},
        {"sample": 1},
        {"stop": ("#",)},
    ],
    ids=str,
)
def test_every_part_of_a_request_counts(changes):
    assert request_key(replace(REQUEST, **changes), "m") != request_key(REQUEST, "m")


def test_the_model_counts():
    assert request_key(REQUEST, "m") != request_key(REQUEST, "n")


def test_a_whole_number_is_the_same_temperature():
    assert request_key(replace(REQUEST, temperature=1), "m") == request_key(REQUEST, "m")


def test_any_text_has_a_key():
    assert request_key(replace(REQUEST, messages=(Message("user", "\ud800 空 \0"),)), "m")


def test_where_a_program_came_from_does_not_count():
    assert program_key(replace(TARGET, origin=Origin("paraphrase", sample=3))) == program_key(TARGET)
    assert program_key(replace(TARGET, entry_point="g")) != program_key(TARGET)


CAMPAIGN = Campaign(
    TARGET, (Parameter("x", Shape("int", low=0, samples=(value_of(3),))),), (Arguments((value_of(1),)),)
)


BUDGET = FuzzBudget()


def inputs(budget=BUDGET, engine="afl", **changes) -> str:
    return inputs_key(replace(CAMPAIGN, **changes), budget, engine)


@pytest.mark.parametrize(
    "changes",
    [
        {"target": replace(TARGET, source="def f(x): return 2")},
        {"parameters": (replace(CAMPAIGN.parameters[0], keyword=True),)},
        {"parameters": (replace(CAMPAIGN.parameters[0], shape=Shape("int", low=1)),)},
        {"seeds": ()},
        {"seeds": (Arguments((), (("x", value_of(1)),)),)},
        {"others": (TARGET,)},
        {"precondition": TARGET},
        {"budget": FuzzBudget(seed=1)},
        {"budget": FuzzBudget(inputs=3)},
        {"engine": "loop"},
    ],
    ids=str,
)
def test_everything_that_steers_fuzzing_counts(changes):
    assert inputs(**changes) != inputs()


def test_neither_where_a_seed_came_from_nor_earlier_finds_count():
    assert inputs(seeds=(replace(CAMPAIGN.seeds[0], origin="example"),)) == inputs()
    assert inputs(corpus=CAMPAIGN.seeds) == inputs()
