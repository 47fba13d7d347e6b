"""Text → Functions and Prompts (paper §3.1), and putting a reworded description back.

functions ─ docstring ─ doclines    a docstring's segments; what one of its lines is
          ─ places                  where a function stands in its module, and whether it needs it
          ─ toplevel ─ names ─ syntax   what a module provides, what statements bind and need; the tolerant parser
                               older    what only a newer Python than ours reads
surroundings ─ outline              what of the module a language model is told, and in how much detail
forgotten                           imports that a program of a language model lacks
outside                             the clock, files and the like that a function reads, which are not the real ones
"""

from mpt.source.forgotten import forgotten_imports
from mpt.source.functions import MAX_PREAMBLE, find_functions, parse_prompt, reword
from mpt.source.outside import only_acts, read_outside
from mpt.source.places import taken_alone
from mpt.source.surroundings import told
from mpt.source.toplevel import read_module

__all__ = [
    "MAX_PREAMBLE",
    "find_functions",
    "forgotten_imports",
    "only_acts",
    "parse_prompt",
    "read_module",
    "read_outside",
    "reword",
    "taken_alone",
    "told",
]
