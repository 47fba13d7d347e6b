"""How many of a program's branches do inputs reach?

A branch is a step from one line of the program to another where there are several from that line. Which there are is
learned by running: the share is of the branches that these inputs and a sample of HumanEval+'s reach together.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from kill_pairs import LIMITS, Pair

from mpt.adapters.sandbox import WalledSandbox
from mpt.ports import Watch
from mpt.values import Arguments, Program, Returned

SAMPLE = 100
"""Of HumanEval+'s inputs, spread evenly."""
Branches = frozenset[tuple[int, int]]
_TRACED = '''

def _traced(*positional, **keyword):
    """The steps from line to line of this module's functions during one call."""
    import sys

    before, steps = {}, set()

    def step(frame, event, argument):
        if event == "line":
            steps.add((before.get(frame, frame.f_code.co_firstlineno), frame.f_lineno))
            before[frame] = frame.f_lineno
        return step

    sys.settrace(lambda frame, event, argument: step if frame.f_code.co_filename == __CODE__ else None)
    try:
        ENTRY(*positional, **keyword)
    except Exception:
        pass
    finally:
        sys.settrace(None)
    return sorted(steps)


__CODE__ = _traced.__code__.co_filename
'''


def steps_of(
    pair: Pair, inputs: Sequence[Arguments], sandbox: WalledSandbox, watch: Watch
) -> tuple[tuple[Branches, ...], ...]:
    """By program, the target first: the steps from line to line on each of the inputs."""
    rows = sandbox.run([_traced(program) for program in (pair.target, *pair.paraphrases)], inputs, LIMITS, watch)
    return tuple(tuple(map(_steps, row)) for row in rows)


def sample(pair: Pair) -> tuple[Arguments, ...]:
    """Some of HumanEval+'s inputs."""
    return pair.task.inputs[:: max(1, len(pair.task.inputs) // SAMPLE)]


def shares(
    mine: Sequence[Sequence[Branches]], sampled: Sequence[Sequence[Branches]]
) -> tuple[float | None, float | None]:
    """Of the target's branches, and of all programs', the share that the steps in `mine` reach; None without any."""
    counts = []
    for own, other in zip(mine, sampled, strict=True):
        there = _branches([*own, *other])
        counts.append((len(Branches().union(*own) & there), len(there)))
    return _share(counts[:1]), _share(counts)


def _traced(program: Program) -> Program:
    return replace(
        program, source=program.source + _TRACED.replace("ENTRY", program.entry_point), entry_point="_traced"
    )


def _steps(outcome: object) -> Branches:
    if not isinstance(outcome, Returned):
        return frozenset()
    return frozenset(tuple(step["tuple"]) for step in json.loads(outcome.value.wire))


def _branches(steps: Sequence[Branches]) -> Branches:
    following = defaultdict(set)
    for before, after in Branches().union(*steps):
        following[before].add(after)
    return frozenset((before, after) for before, more in following.items() if len(more) > 1 for after in more)


def _share(counts: Sequence[tuple[int, int]]) -> float | None:
    there = sum(branches for _, branches in counts)
    return sum(reached for reached, _ in counts) / there if there else None
