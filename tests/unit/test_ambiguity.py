"""What an AMBIGUOUS verdict can say: classes of behaviour, and the sentence read in several ways."""

from __future__ import annotations

from builders import arguments, evidence, returned
from mpt.equality import Equality
from mpt.validation.ambiguity import behaviours, open_sentence

DESCRIPTION = "Sort the names. Ties keep the order of the input."


def test_each_class_has_its_smallest_telling_input() -> None:
    found = behaviours(evidence((1, 1, 1), (1, 1, 1), (1, 2, 2), (1, 2, 2), (1, 2, 2)), Equality())
    assert [(one.programs, one.arguments, one.outcome) for one in found] == [
        ((2, 3, 4), arguments(1), returned(2)),
        ((0, 1), arguments(1), returned(1)),
    ]


def test_one_class_is_not_told_from_itself() -> None:
    assert behaviours(evidence((1, 1), (1, 1), ("stopped", 1)), Equality()) == ()


def test_the_sentence_that_was_reworded_differently_is_named() -> None:
    classes = behaviours(evidence((1, 1), (1, 1), (1, 1), (1, 2), (1, 2)), Equality())
    rewordings = {
        1: "Sort the names. Ties stay in the order of the input.",
        2: "Sort the names. Ties stay in the input order.",
        3: "Sort the names. Ties are broken by the alphabet.",
        4: "Sort the names. Break ties by the alphabet.",
    }
    assert open_sentence(DESCRIPTION, rewordings, classes) == "Ties keep the order of the input."


def test_no_sentence_is_named_without_reason() -> None:
    classes = behaviours(evidence((1, 1), (1, 1), (1, 1), (1, 2), (1, 2)), Equality())
    assert open_sentence(DESCRIPTION, dict.fromkeys(range(1, 5), DESCRIPTION), classes) is None
    assert open_sentence(DESCRIPTION, {1: DESCRIPTION}, classes) is None
