"""The policies against tables worked by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from builders import arguments, distinct, evidence, example, returned
from mpt.equality import Equality
from mpt.validation import POLICIES, Thresholds, Weights, judge
from mpt.validation.comparing import Comparison
from mpt.validation.signals import Hearing
from mpt.values import Evidence, Example, Stopped

C, I, A, N = "CONSISTENT", "INCONSISTENT", "AMBIGUOUS", "INCONCLUSIVE"  # noqa: E741
S = "stopped"

TABLE = [
    # answers of five programs on two inputs; the target answers 1, 1 (DESIGN.md, section 4)
    ([(1, 1), (1, 1), (1, 1), (1, 1), (1, 1)], C, C, C),
    ([(2, 1), (2, 1), (2, 1), (2, 1), (1, 1)], I, I, I),
    ([(2, 1), (1, 3), (4, 1), (1, 1), (1, 1)], I, I, C),
    ([(2, 1), (3, 1), (4, 1), (5, 1), (1, 1)], I, I, A),
    ([(2, 1), (1, 1), (1, 1), (1, 1), (1, 1)], C, I, C),
    ([(S, S), (S, S), (S, S), (1, 1), (1, 1)], N, N, N),
    # exactly half is not a majority; of four programs 3 are less than 0.8
    ([(2, 1), (2, 1), (1, 1), (1, 1)], C, I, A),
    ([(2, 1), (2, 1), (2, 1), (1, 1)], I, I, C),
    # programs that agree in raising are no returned value
    ([(ValueError, 1)] * 5, I, I, C),
    # what cannot be compared is never a difference
    ([("opaque", 1)] * 5, C, C, C),
    ([(S, 2), (S, 2), (S, 2), (S, 2), (S, 2)], I, I, I),
]


@pytest.mark.parametrize(("others", "majority", "conservative", "consensus"), TABLE)
def test_worked_table(others: list[tuple[object, object]], majority: str, conservative: str, consensus: str) -> None:
    seen = evidence((1, 1), *others)
    assert judge(seen, "majority").status == majority
    assert judge(seen, "conservative").status == conservative
    assert judge(seen, "consensus").status == consensus


def test_the_smallest_disagreement_comes_first_with_both_answers() -> None:
    verdict = judge(evidence((1, 1, 1), *[(2, 3, 1)] * 4, (1, 1, 1)))
    assert [found.arguments for found in verdict.disagreements] == [arguments(0), arguments(1)]
    first = verdict.disagreements[0]
    assert first.target == returned(1)
    assert [(answer.outcome, answer.programs) for answer in first.others] == [
        (returned(2), (1, 2, 3, 4)),
        (returned(1), (5,)),
    ]
    assert verdict.agreement == pytest.approx(0.2)


def test_a_target_that_contradicts_an_example_which_most_meet_is_inconsistent() -> None:
    verdict = judge(evidence((7, 1), (5, 1), (5, 1), (5, 1), (6, 1), (7, 1), examples=[example(0, 5)]))
    assert verdict.status == I
    assert "example" in verdict.reason
    assert verdict.disagreements[0].arguments == arguments(0)


def test_programs_that_contradict_a_trusted_example_are_set_aside() -> None:
    bad, good = (6, 2), (5, 1)
    seen = evidence((5, 1), bad, bad, good, good, good, examples=[example(0, 5)])
    assert judge(seen).status == C


def test_an_example_that_programs_are_divided_over_is_no_oracle() -> None:
    bad, good = (6, 2), (5, 1)
    verdict = judge(evidence((5, 1), bad, bad, good, good, (S, S), examples=[example(0, 5)]))
    assert (verdict.status, verdict.doubtful_examples) == (A, ())


def test_too_few_programs_left_after_the_examples_is_inconclusive() -> None:
    seen = evidence((5, 1), (6, 2), (6, 2), (5, 1), (5, 1), (5, 1), examples=[example(0, 5)])
    assert judge(seen, thresholds=Thresholds(min_programs=4)).status == N


def test_an_example_that_most_programs_contradict_is_doubtful_and_accuses_nobody() -> None:
    wrong = example(0, 9)
    verdict = judge(evidence((5, 1), *[(5, 1)] * 5, examples=[wrong]))
    assert verdict.status == C
    assert verdict.doubtful_examples == (wrong,)


def test_an_example_that_raises_is_an_oracle_too() -> None:
    raises = Example(arguments(0), raises="ValueError")
    verdict = judge(evidence((1, 1), *[(ValueError, 1)] * 5, examples=[raises]))
    assert verdict.status == I


def test_a_target_that_never_ends_is_inconclusive_and_says_so() -> None:
    verdict = judge(evidence((S, S), *[(1, 1)] * 5))
    assert verdict.status == N
    assert "function itself" in verdict.reason


@pytest.mark.parametrize("policy", sorted(POLICIES))
def test_no_paraphrase_program_at_all_is_inconclusive(policy: str) -> None:
    assert judge(evidence((1, 1)), policy).status == N


def test_exceptions_count_as_the_equality_says() -> None:
    seen = evidence((ValueError, 1), *[(TypeError, 1)] * 5)
    assert judge(seen, "majority").status == I
    assert judge(seen, "majority", equality=Equality(exceptions="any")).status == C


# --- default --------------------------------------------------------------------------------------


W = Weights(base=-2.5, differing=2.0, peak=3.0, example=4.0, poor=0.2, copies=0.95, doubt=2.0)
"""Numbers of the tests' own: those of the policy are fitted anew now and then."""
T = Thresholds(weights=W)


def _chance(seen: Evidence) -> float:
    chance = judge(seen, "default", T).probability
    assert chance is not None
    return chance


def test_default_worked_by_hand() -> None:
    """Four of five programs, none a copy, give one other answer: differing 4/5, peak 4 / (5 + 2), no example."""
    seen = distinct(evidence((1, 1), *[(2, 1)] * 4, (1, 1)))
    against = W.base + W.differing * 4 / 5 + W.peak * 4 / 7
    assert _chance(seen) == pytest.approx(1 / (1 + math.exp(-against)))


def test_copies_have_one_voice_together() -> None:
    rows = [(1, 1), *[(2, 1)] * 4, (1, 1)]
    assert _chance(evidence(*rows)) < _chance(distinct(evidence(*rows)))


def test_a_target_that_contradicts_an_example_which_somebody_meets_is_inconsistent() -> None:
    seen = distinct(evidence((7, 1), (7, 1), (7, 1), (5, 1), (5, 1), (5, 1), examples=[example(0, 5)]))
    verdict = judge(seen, "default", T)
    assert (verdict.status, verdict.doubtful_examples) == (I, ())
    assert "example" in verdict.reason
    assert verdict.disagreements[0].arguments == arguments(0)


def test_an_example_nobody_meets_is_doubtful_and_speaks_less_against_the_target() -> None:
    nobody = distinct(evidence((7, 1), *[(7, 1)] * 5, examples=[example(0, 5)]))
    most = distinct(evidence((7, 1), *[(5, 1)] * 5, examples=[example(0, 5)]))
    assert judge(nobody, "default", T).status == C
    assert judge(nobody, "default", T).doubtful_examples == (example(0, 5),)
    assert _chance(nobody) < _chance(most)


def test_programs_that_contradict_an_example_the_target_meets_are_poor_witnesses() -> None:
    rows = [(5, 1), *[(6, 2)] * 4, (5, 2)]
    assert _chance(distinct(evidence(*rows, examples=[example(0, 5)]))) < _chance(distinct(evidence(*rows)))


def test_programs_that_all_contradict_an_example_the_target_meets_accuse_nobody() -> None:
    rows = [(5, 1), *[(6, 2)] * 5]
    assert judge(distinct(evidence(*rows)), "default").status == I
    verdict = judge(distinct(evidence(*rows, examples=[example(0, 5)])), "default")
    assert verdict.status == N
    assert "every paraphrase program contradicts an example" in verdict.reason


def test_programs_that_lack_an_import_say_nothing() -> None:
    whole = distinct(evidence((1, 1), (1, 2), (1, 2), (1, 2), (1, 1), (1, 1)))
    broken = distinct(evidence((1, 1), (1, 2), (1, 2), (1, 2), (NameError, NameError), (NameError, NameError)))
    signals = [Hearing(Comparison(seen, Equality()), W).signals for seen in (whole, broken)]
    assert [found.peak for found in signals] == [pytest.approx(3 / 7), pytest.approx(3 / 5)]


@pytest.mark.parametrize(("sensitivity", "status"), [("quiet", C), ("balanced", C), ("thorough", I)])
def test_the_person_says_how_sure_it_must_be(sensitivity: str, status: str) -> None:
    seen = distinct(evidence((1, 1), (2, 1), (2, 1), (1, 1), (1, 1), (1, 1)))
    weights = Weights(base=-2.8, differing=2.0, peak=4.0)  # 2 of 5 differ, 2 of 5 + 2 voices: 0.30
    assert judge(seen, "default", Thresholds(sensitivity=sensitivity, weights=weights)).status == status


def test_a_target_that_cannot_be_parsed_is_inconsistent_where_enough_programs_run() -> None:
    no_python = Stopped("load", "SyntaxError: invalid syntax (<program>, line 3)")
    verdict = judge(evidence((no_python,) * 2, *[(1, 1)] * 3, (S, S)), "default")
    assert (verdict.status, verdict.probability) == (I, 1.0)
    assert verdict.reason.startswith("cannot be parsed (SyntaxError: invalid syntax")
    assert "3 of 4" in verdict.reason
    assert verdict.disagreements[0].target == no_python
    few = evidence((no_python,) * 2, *[(1, 1)] * 2, *[(S, S)] * 3)
    assert judge(few, "default").status == N


def test_a_target_that_lacks_a_module_is_not_judged() -> None:
    lacking = Stopped("load", "ModuleNotFoundError: No module named 'scipy'")
    assert judge(evidence((lacking,) * 2, *[(1, 1)] * 5), "default").status == N


def test_programs_that_scatter_are_ambiguous() -> None:
    seen = distinct(evidence((1, 1), (2, 1), (3, 1), (4, 1), (1, 1), (1, 1)))
    verdict = judge(seen, "default", Thresholds(sensitivity="quiet", weights=W))
    assert verdict.status == A
    assert verdict.disagreements[0].arguments == arguments(0)


@pytest.mark.parametrize(
    ("others", "status"),
    [
        ([(2, 1), (3, 1), (4, 1), (5, 1), (6, 1)], A),
        ([(2, 1), (2, 1), (4, 1), (5, 1), (6, 1)], I),
        ([(ValueError, 1), (ValueError, 1), (4, 1), (5, 1), (6, 1)], A),
    ],
)
def test_default_warns_where_two_programs_give_the_same_other_answer(others: list[object], status: str) -> None:
    assert judge(distinct(evidence((1, 1), *others)), "default").status == status  # type: ignore[arg-type]


def with_sources(seen: Evidence, *sources: str) -> Evidence:
    programs = (replace(one, source=text) for one, text in zip(seen.programs, sources, strict=True))
    return replace(seen, programs=tuple(programs))


GUARDED = "def f(x):\n    if x < 0:\n        raise ValueError('negative')\n    return {}"
PLAIN = "def f(x):\n    return {}"


def test_a_guard_is_no_wrong_answer_to_programs_that_have_none() -> None:
    seen = evidence((ValueError, 1), *[(2, 1)] * 5)
    target = GUARDED.format(1)
    plain = [PLAIN.format(f"{n} or 1") for n in range(5)]
    guarded = [GUARDED.format(f"{n} or 1") for n in range(5)]
    assert judge(with_sources(seen, target, *plain), "default").status == C
    assert judge(with_sources(seen, target, *guarded), "default").status == I
    assert judge(with_sources(seen, "def f(x):\n    return [][x]", *plain), "default").status == I
    shown = replace(seen, examples=(example(0, 2),))
    assert judge(with_sources(shown, target, *plain), "default").status == I
