"""Inputs that the target refuses: it raises an exception that its own text raises (`raise ValueError(…)`).

A guard against what the function is not meant for is no wrong answer, and a program that knows of no such guard answers
whatever comes of it. So there only programs have a say that raise that exception themselves, be it elsewhere; what an
example of the docstring shows is meant, and all have a say in it.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property

from mpt.equality import Same
from mpt.source.names import parse
from mpt.validation.comparing import Comparison
from mpt.values import Raised


@dataclass(frozen=True)
class Considerate(Comparison):
    """A comparison in which a program without the target's guard has no say in what that refuses."""

    @cached_property
    def table(self) -> dict[int, tuple[Same, ...]]:
        programs, refused = self.evidence.programs, self._refused
        whole: dict[int, tuple[Same, ...]] = Comparison.table.func(self)  # type: ignore[attr-defined]
        if not refused:
            return whole
        return {p: _left(row, refused, raises(programs[p].source)) for p, row in whole.items()}

    @property
    def _refused(self) -> dict[int, str]:
        """By input: the exception that refuses it."""
        seen = self.evidence
        own, shown = raises(seen.programs[0].source), {example.arguments for example in seen.examples}
        return {
            i: outcome.type_name
            for i, outcome in enumerate(seen.target)
            if isinstance(outcome, Raised) and outcome.type_name in own and seen.inputs[i] not in shown
        }


def _left(row: tuple[Same, ...], refused: dict[int, str], own: frozenset[str]) -> tuple[Same, ...]:
    return tuple(None if i in refused and refused[i] not in own else told for i, told in enumerate(row))


def raises(source: str) -> frozenset[str]:
    """The names of the exceptions that a program's text raises."""
    try:
        nodes = list(ast.walk(parse(source)))
    except SyntaxError:
        return frozenset()
    raised = [node.exc for node in nodes if isinstance(node, ast.Raise)]
    called = [one.func if isinstance(one, ast.Call) else one for one in raised]
    return frozenset(ast.unparse(one).rpartition(".")[2] for one in called if one is not None)
