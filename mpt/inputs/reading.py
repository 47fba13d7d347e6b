"""The docstring's words about what may be passed, read by a language model: a precondition, as a program.

It is a program like any other, written from a Prompt of its own: asked for, paid for, kept and replayed alike. What it
may do is little: see mpt.inputs.apart.
"""

from __future__ import annotations

import ast

from mpt.inputs.domain import ENTRY_POINT
from mpt.values import Prompt, Segment

_TASK = """Tells whether a call of `{name}` is one that its description allows.

    False where the description rules the arguments out, by a word ("positive", "non-empty", "sorted", "distinct")
    or by a bound ("1 <= n <= 100"). True for all others: what the description does not rule out is allowed.
    It looks at the arguments alone, and never computes what `{name}` computes.

    The description of `{name}`:

"""


def question(prompt: Prompt) -> Prompt | None:
    """The prompt of the precondition; None where the docstring says nothing, or the signature cannot be read."""
    signature = _signature(prompt.signature)
    if signature is None or not prompt.has_description:
        return None
    words = "".join(segment.text for segment in prompt.segments).strip().strip('"').replace('"""', "'''")
    text = _TASK.format(name=prompt.entry_point) + words.rstrip() + '\n    """\n'
    return Prompt(prompt.preamble, signature, (Segment("other", '"""'), Segment("description", text)), ENTRY_POINT)


def _signature(signature: str) -> str | None:
    """`def precondition(…) -> bool:` with the parameters of the given one."""
    try:
        [node] = ast.parse(signature.rstrip() + " pass").body
    except (SyntaxError, ValueError):
        return None
    if not isinstance(node, ast.FunctionDef) or node.decorator_list:
        return None
    return f"def {ENTRY_POINT}({ast.unparse(node.args)}) -> bool:\n    "
