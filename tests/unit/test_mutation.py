"""What the loop tries first: arguments all of one kind."""

from __future__ import annotations

from random import Random

from mpt.adapters.fuzzing import specification
from mpt.inputs.making import WIDE
from mpt.values import Parameter, Shape
from mpt.worker.mutation import Constants, Mutator
from mpt.worker.shapes import Parameters


def mutator(source: str, *shapes: Shape) -> Mutator:
    parameters = [Parameter(f"p{number}", shape) for number, shape in enumerate(shapes)]
    return Mutator(Parameters(specification(parameters)), Constants([source]), Random(0))


def test_of_parameters_of_which_nothing_is_known_all_are_tried_as_the_same_kind() -> None:
    kinds = [list(map(type, values)) for values in mutator("", WIDE, WIDE, WIDE).alike()]
    assert [str, str, str] in kinds
    assert [list, list, list] in kinds
    assert mutator("", Shape("int"), Shape("str")).alike() == []
