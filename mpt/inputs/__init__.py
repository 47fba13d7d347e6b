"""What may be passed to a function, from its prompt: its examples, a shape for each parameter, a precondition."""

from mpt.inputs.apart import named, raising, sort_out
from mpt.inputs.domain import precondition_of
from mpt.inputs.examples import examples_of, seeds_of
from mpt.inputs.reading import question
from mpt.inputs.shapes import Unbuildable, meant, parameters_of

__all__ = [
    "Unbuildable",
    "examples_of",
    "meant",
    "named",
    "parameters_of",
    "precondition_of",
    "question",
    "raising",
    "seeds_of",
    "sort_out",
]
