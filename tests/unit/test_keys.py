"""A key changes with everything it stands for, and with nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mpt.keys import function_key, inputs_key, program_key, request_key, verdict_key
from mpt.settings import Settings
from mpt.spelling import value_of
from mpt.values import (
    Arguments,
    Function,
    FuzzBudget,
    Message,
    Origin,
    Parameter,
    Position,
    Program,
    Prompt,
    Request,
    Shape,
    Span,
)

REQUEST = Request((Message("user", "hi"),), temperature=1.0, max_tokens=10, template="t1")
TARGET = Program("def f(x): return x", "f", Origin("target"))
PARAMETERS = (Parameter("x", Shape("int", low=0, samples=(value_of(3),))),)
SEEDS = (Arguments((value_of(1),)),)
BUDGET = FuzzBudget()
SPAN = Span(Position(0, 0), Position(1, 0))
FUNCTION = Function("a.py", "f", 0, Prompt("", "def f(x):", (), "f"), TARGET.source, "", SPAN, SPAN)
SETTINGS = Settings()


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


def inputs(target=TARGET, parameters=PARAMETERS, seeds=SEEDS, budget=BUDGET, engine="afl") -> str:
    return inputs_key(target, parameters, seeds, budget, engine)


@pytest.mark.parametrize(
    "changes",
    [
        {"target": replace(TARGET, source="def f(x): return 2")},
        {"parameters": (replace(PARAMETERS[0], keyword=True),)},
        {"parameters": (replace(PARAMETERS[0], shape=Shape("int", low=1)),)},
        {"seeds": ()},
        {"seeds": (Arguments((), (("x", value_of(1)),)),)},
        {"budget": replace(BUDGET, seed=1)},
        {"budget": replace(BUDGET, inputs=3)},
        {"engine": "loop"},
    ],
    ids=str,
)
def test_everything_that_steers_fuzzing_counts(changes):
    assert inputs(**changes) != inputs()


def test_where_a_seed_came_from_does_not_count():
    assert inputs(seeds=(replace(SEEDS[0], origin="example"),)) == inputs()


def verdict(function=FUNCTION, programs=("a", "b"), found="i", interpreter="3.11.2", settings=SETTINGS) -> str:
    return verdict_key(function, programs, found, interpreter, settings)


@pytest.mark.parametrize(
    "changes",
    [
        {"function": replace(FUNCTION, source="def f(x): return 2")},
        {"function": replace(FUNCTION, context="import math")},
        {"programs": ("a",)},
        {"found": "j"},
        {"interpreter": "3.12.0"},
        {"settings": replace(SETTINGS, policy="majority")},
        {"settings": replace(SETTINGS, agreement=0.9)},
        {"settings": replace(SETTINGS, min_programs=2)},
        {"settings": replace(SETTINGS, input_s=9.0)},
    ],
    ids=str,
)
def test_everything_that_steers_a_verdict_counts(changes):
    assert verdict(**changes) != verdict()


def test_a_new_version_of_the_tool_judges_anew(monkeypatch):
    before = verdict()
    monkeypatch.setattr("mpt.keys.__version__", "999")
    assert verdict() != before


def test_neither_the_place_nor_the_order_of_programs_changes_a_verdict():
    assert verdict(function=replace(FUNCTION, path="b.py", ordinal=2)) == verdict()
    assert verdict(programs=("b", "a")) == verdict()


def test_a_function_is_known_by_its_place():
    assert function_key(replace(FUNCTION, source="")) == function_key(FUNCTION)
    others = [replace(FUNCTION, path="b.py"), replace(FUNCTION, name="C.f"), replace(FUNCTION, ordinal=1)]
    assert len({function_key(other) for other in (FUNCTION, *others)}) == 4
