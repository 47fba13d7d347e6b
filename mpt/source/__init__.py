"""Text → Functions and Prompts (paper §3.1), and putting a reworded description back.

functions ─ docstring ─ doclines    a docstring's segments; what one of its lines is
          ─ names ─ syntax          what statements bind and need; the error-tolerant parser
"""

from mpt.source.functions import MAX_PREAMBLE, find_functions, parse_prompt, read_module, reword

__all__ = ["MAX_PREAMBLE", "find_functions", "parse_prompt", "read_module", "reword"]
