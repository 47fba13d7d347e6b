"""Which inputs are handed out, by what the programs answered."""

from __future__ import annotations

from random import Random

from mpt.worker.choosing import LATE, Tried, best, plain


def tried(name: str, *answers: str, path: int = 0, new: bool = False) -> Tried:
    return Tried(name, list(answers), path, new)


def names(found: list[Tried]) -> list[str]:
    return [one.what for one in found]


def test_inputs_that_split_the_programs_come_first_each_way_in_turn() -> None:
    found = [
        tried("agree", "1", "1", "1", new=True),
        tried("odd one out", "1", "2", "2"),
        tried("odd one out again", "3", "4", "4"),
        tried("third differs", "1", "1", "2"),
    ]
    assert names(best(found, 4, Random(0)))[:2] == ["odd one out", "third differs"]


def test_inputs_on_which_most_programs_raise_come_last_and_are_few() -> None:
    found = [tried(f"bad {n}", "!ValueError", "!TypeError", str(n), new=True) for n in range(20)]
    found += [tried(f"good {n}", str(n), str(n), str(n)) for n in range(20)]
    chosen = names(best(found, 10, Random(0)))
    assert [name[:3] for name in chosen] == ["goo"] * 9 + ["bad"]


def test_what_did_not_end_splits_nothing() -> None:
    assert tried("late", "1", LATE, "1").agreed
    assert tried("late", "1", LATE, "1").split == (0, -1, 0)


def test_without_splits_answers_and_paths_take_turns() -> None:
    found = [tried(f"a{n}", "True", path=1) for n in range(9)] + [
        tried("b", "False", path=1),
        tried("c", "True", path=2),
    ]
    assert {"b", "c"} <= set(names(best(found, 4, Random(0))))


def test_each_input_once_and_never_more_than_asked_for() -> None:
    found = [tried(str(n), str(n % 3), "0", new=n % 2 == 0, path=n) for n in range(30)]
    chosen = names(best(found, 20, Random(0)))
    assert len(chosen) == len(set(chosen)) == 20
    assert best([], 20, Random(0)) == []


def test_floats_that_are_the_same_read_alike() -> None:
    assert plain("[0.30000000000000004,1.0]") == plain("[0.3,1]")
    assert plain('"1.5 apples"') != plain('"1.6 apples"')


def test_of_what_all_refuse_the_functions_own_refusals_come_first() -> None:
    found = [tried(f"type {n}", "!TypeError", "!TypeError", str(n), new=True) for n in range(9)]
    found.append(tried("value", "!ValueError", "!ValueError", "1", new=True))
    assert best(found, 10, Random(0))[0].what == "value"
