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


def shares(pair: Pair, inputs: Sequence[Arguments], sandbox: WalledSandbox, watch: Watch) -> tuple[float, float]:
    """Of the target's branches, and of all programs', the share that the inputs reach."""
    every = pair.task.inputs[:: max(1, len(pair.task.inputs) // SAMPLE)]
    programs = [_traced(program) for program in (pair.target, *pair.paraphrases)]
    rows = sandbox.run(programs, (*inputs, *every), LIMITS, watch)
    counts = []
    for row in rows:
        steps = [_steps(outcome) for outcome in row]
        there = _branches(steps)
        reached = frozenset[tuple[int, int]]().union(*steps[: len(inputs)]) & there
        counts.append((len(reached), len(there)))
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
    for before, after in frozenset[tuple[int, int]]().union(*steps):
        following[before].add(after)
    return frozenset((before, after) for before, more in following.items() if len(more) > 1 for after in more)


def _share(counts: Sequence[tuple[int, int]]) -> float:
    return sum(reached for reached, _ in counts) / max(1, sum(there for _, there in counts))
