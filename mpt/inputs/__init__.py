"""What may be passed to a function, from its prompt: its examples, a shape for each parameter, a precondition."""

from mpt.inputs.domain import precondition_of
from mpt.inputs.examples import examples_of
from mpt.inputs.shapes import Unbuildable, parameters_of

__all__ = ["Unbuildable", "examples_of", "parameters_of", "precondition_of"]
