"""Laws of equality and of verdicts."""

from __future__ import annotations

import math
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import evidence, example, outcome
from mpt.equality import Equality, is_iterated, leaves_order_open, of_prompt, same, same_value
from mpt.spelling import literal, value_of
from mpt.validation import POLICIES, judge
from mpt.values import Evidence, Opaque, Outcome, Prompt, Raised, Returned, Segment, Stopped, Value
from mpt.worker import codec

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.binary(max_size=5)
    | st.complex_numbers()
    | st.decimals(allow_nan=False)
    | st.just(Decimal("NaN"))
    | st.fractions()
)
hashable = st.recursive(scalars, lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=3), max_leaves=5)
values = st.recursive(
    hashable,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(hashable, inner, max_size=3) | st.sets(hashable, max_size=3)
    ),
    max_leaves=10,
)
answers = st.sampled_from([0, 1, 2, "stopped", "opaque", ValueError, TypeError, 1.0, [1], (1,)])
rows = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(answers, min_size=width, max_size=width), min_size=1, max_size=7)
)


@given(values)
def test_a_value_is_the_same_as_itself(value: object) -> None:
    assert same_value(value_of(value), value_of(value)) is True


@given(values, values)
def test_same_is_symmetric(left: object, right: object) -> None:
    assert same_value(value_of(left), value_of(right)) == same_value(value_of(right), value_of(left))


@given(values)
def test_python_reads_a_literal_back(value: object) -> None:
    names = {
        "Decimal": Decimal,
        "Fraction": Fraction,
        "float": float,
        "complex": complex,
        "frozenset": frozenset,
        "set": set,
    }
    spelt = literal(value_of(value))
    assert same_value(value_of(eval(spelt, {"nan": math.nan, "inf": math.inf, **names})), value_of(value)) is True


@given(answers, answers)
def test_what_did_not_end_or_cannot_be_carried_is_never_a_difference(left: object, right: object) -> None:
    a, b = outcome(left), outcome(right)
    unknown = isinstance(a, Stopped | Opaque) or isinstance(b, Stopped | Opaque)
    assert (same(a, b) is None) == unknown


def _rotated(seen: Evidence, by: int) -> Evidence:
    others = seen.others[by:] + seen.others[:by]
    return Evidence(seen.programs, seen.inputs, (seen.target, *others), seen.examples)


def _mirrored(seen: Evidence) -> Evidence:
    return Evidence(seen.programs, seen.inputs[::-1], tuple(row[::-1] for row in seen.outcomes), seen.examples)


@pytest.mark.parametrize("policy", sorted(POLICIES))
@given(table=rows, by=st.integers(0, 6))
def test_the_order_of_programs_and_inputs_changes_nothing(policy: str, table: list[list[object]], by: int) -> None:
    seen = evidence(*table)
    verdict = judge(seen, policy)
    assert judge(_rotated(seen, by), policy).status == verdict.status
    mirrored = judge(_mirrored(seen), policy)
    assert mirrored.status == verdict.status
    assert [found.arguments for found in mirrored.disagreements] == [found.arguments for found in verdict.disagreements]


@pytest.mark.parametrize("policy", sorted(POLICIES))
@given(row=st.lists(st.integers(0, 3), min_size=1, max_size=4), count=st.integers(3, 6))
def test_identical_programs_are_consistent(policy: str, row: list[int], count: int) -> None:
    assert judge(evidence(*[row] * (count + 1)), policy).status == "CONSISTENT"


@pytest.mark.parametrize("policy", sorted(POLICIES))
@given(table=rows)
def test_a_further_witness_that_agrees_never_accuses(policy: str, table: list[list[object]]) -> None:
    before = judge(evidence(*table), policy).status
    after = judge(evidence(*table, table[0]), policy).status
    assert not (before == "CONSISTENT" and after == "INCONSISTENT")


def _known(seen: Outcome) -> bool:
    return not isinstance(seen, Stopped | Opaque)


@given(table=rows)
def test_a_consensus_warning_rests_on_programs_that_agree(table: list[list[object]]) -> None:
    verdict = judge(evidence(*table), "consensus")
    if verdict.status == "INCONSISTENT":
        assert verdict.disagreements
        for found in verdict.disagreements:
            top = found.others[0]
            assert len(top.programs) >= 3
            assert same(found.target, top.outcome) is False


def test_a_signalling_nan_is_compared_without_a_signal() -> None:
    assert same_value(value_of(Decimal("sNaN")), value_of(Decimal("1"))) is False
    assert same_value(value_of(Decimal("sNaN")), value_of(Decimal("NaN"))) is True


@given(st.lists(hashable, max_size=5), st.randoms(use_true_random=False))
def test_where_the_order_is_open_a_shuffled_answer_is_the_same(items: list[object], random: Random) -> None:
    shuffled = random.sample(items, len(items))
    assert same_value(value_of(items), value_of(shuffled), Equality(any_order=True)) is True
    assert same_value(value_of(tuple(items)), value_of(items), Equality(any_order=True)) is False


@given(values, values)
def test_a_laxer_equality_takes_no_sameness_away(left: object, right: object) -> None:
    if same_value(value_of(left), value_of(right)) is True:
        lax = Equality(any_order=True, trailing_space=False)
        assert same_value(value_of(left), value_of(right), lax) is True


def test_only_trailing_white_space_can_be_set_not_to_count() -> None:
    lax = Equality(trailing_space=False)
    assert same_value(value_of("a \n b\t\n"), value_of("a\n b")) is False
    assert same_value(value_of(["a \n b\t\n"]), value_of(["a\n b"]), lax) is True
    assert same_value(value_of(" a"), value_of("a"), lax) is False


def test_the_description_decides_about_order_and_changes_in_place() -> None:
    def told(description: str, answer: object) -> Equality:
        prompt = Prompt("", "def f(x):\n", (Segment("description", description),), "f")
        return of_prompt(prompt, evidence([answer], [answer]))

    factors = told("Return the prime factors\n    in any order.", [2, 3])
    assert (factors.any_order, factors.mutation) == (True, False)
    assert same(outcome([2, 3, 2]), outcome([3, 2, 2]), factors) is True
    assert same(outcome([2, 3, 2]), outcome([3, 2, 3]), factors) is False
    in_place = told("Sort the list in place.", None)
    assert (in_place.any_order, in_place.mutation) == (False, True)


def test_an_iterator_without_order_is_told_apart_only_where_it_ends() -> None:
    yielded = Equality(any_order=True, iterated=True)
    assert same(_gives([1, 2]), _gives([2, 1]), yielded) is True
    assert same(_gives([1, 2]), outcome([2, 1]), yielded) is True
    assert same(_gives([1, 2]), _gives([2, 2]), yielded) is False
    assert same(_gives([1, 2], False), _gives([2, 1], False), yielded) is False


@pytest.mark.parametrize(
    ("description", "open_order"),
    [
        ("Return the prime factors in any order.", True),
        ("Yields the pairs in no particular order.", True),
        ("The words sorted alphabetically. They may be given in any order.", False),
        ("Return the smallest and largest of the numbers, which may be in any order.", False),
        ("Sort the words in place; they may come in any order.", False),
        ("Return them in ascending order.", False),
    ],
)
def test_only_of_what_comes_back_the_order_is_open(description: str, open_order: bool) -> None:
    assert leaves_order_open(description) is open_order


def test_the_places_of_a_tuple_and_what_is_left_behind_keep_their_order() -> None:
    lax = Equality(any_order=True, mutation=True)
    assert same(outcome((1, 2)), outcome((2, 1)), lax) is False
    left, right = (replace(outcome(None), arguments_after=(value_of(after),)) for after in ([1, 2], [2, 1]))
    assert same(left, right, lax) is False


def test_many_members_that_are_all_but_the_same_cannot_be_told() -> None:
    lax = Equality(any_order=True)
    numbers = [i / 3 for i in range(301)]
    noisy = [number + 1e-12 for number in reversed(numbers)]
    assert same(outcome(numbers), outcome(noisy), lax) is not False
    assert same(outcome(list(range(301))), outcome([*range(300), 999]), lax) is False


# --- rule 7: what is there to be iterated over ------------------------------------------------------


def _gives(items: list[object], ended: object = True) -> Returned:
    return Returned(Value(codec.dumps({"iterator": ["generator", items, ended]})))


ITERATED = Equality(iterated=True)


@given(st.lists(st.integers(), max_size=70))
def test_an_iterator_is_what_it_gives(items: list[int]) -> None:
    gives = _gives(list(items[:50]), len(items) < 50)
    for other in (outcome(items), outcome(tuple(items))):
        assert same(gives, other, ITERATED) is same(other, gives, ITERATED) is True
        assert same(gives, other) is False
    assert same(outcome(items), outcome(tuple(items)), ITERATED) is True
    assert same(outcome([*items, 1]), outcome((*items, 2)), ITERATED) is False
    assert same(gives, outcome([0, *items]), ITERATED) is False


def test_an_iterator_that_raises_before_it_gives_anything_is_a_call_that_raises() -> None:
    raised = Raised("ValueError")
    assert same(_gives([], "ValueError"), raised, ITERATED) is True
    assert same(raised, _gives([], "KeyError"), ITERATED) is False
    assert same(_gives([1], "ValueError"), raised, ITERATED) is None
    assert same(_gives([], "ValueError"), raised) is False
    assert same(outcome([]), raised, ITERATED) is False
    assert same(_gives([1], "ValueError"), outcome([1]), ITERATED) is False


@pytest.mark.parametrize(
    ("signature", "description", "iterated"),
    [
        ("def f(x):\n", "Yield the pieces of x.", True),
        ("def f(x) -> Iterator[int]:\n", "Return a list, bit by bit.", True),
        ("def f(x) -> list[int]:\n", "Yield the pieces of x.", False),
        ("def f(x):\n", "Return the list of pieces.", False),
    ],
)
def test_what_is_there_to_be_iterated_over(signature: str, description: str, iterated: bool) -> None:
    prompt = Prompt("", signature, (Segment("description", description),), "f")
    assert is_iterated(prompt, ()) is iterated
    assert is_iterated(prompt, [replace(example(1, [2]), iterated=True)]) is True
    assert is_iterated(replace(prompt, signature="def f(x):\n"), [example(1, [2])]) is False


def test_where_an_object_lies_in_memory_is_no_part_of_a_text() -> None:
    one, other = outcome("<Foo object at 0x7f3a10>"), outcome("<Foo object at 0x7f9b44>")
    assert same(one, other) is True
    assert same(one, outcome("<Bar object at 0x7f3a10>")) is False
    assert same(outcome("0x7f3a10"), outcome("0x7f9b44")) is False
