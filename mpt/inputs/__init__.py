"""What may be passed to a function, from its prompt: the docstring's examples, and a shape for each parameter."""

from mpt.inputs.examples import examples_of
from mpt.inputs.shapes import Unbuildable, parameters_of

__all__ = ["Unbuildable", "examples_of", "parameters_of"]
