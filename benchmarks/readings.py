"""Does a language model's reading of the docstring keep invalid inputs out? HumanEval+'s contracts judge.

    python benchmarks/readings.py --programs programs.jsonl.gz --truth humaneval_plus.jsonl.gz [--llm …] [--each N]

For every so manieth task: inputs found by the loop on a recorded program, then what `domain = "model"` sets aside.
right: set aside and against the contract. wrong: set aside although valid.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

from input_ways import Unwatched
from kill_pairs import LIMITS, Task, read_rows, task_of

from mpt import codegen, inputs
from mpt.adapters.loop_fuzzer import LoopFuzzer
from mpt.ports import LanguageModel, Tools
from mpt.settings import Settings
from mpt.spelling import value_of
from mpt.values import Arguments, Campaign, FuzzBudget, NoProgram, Origin, Program, Returned
from mpt.wiring import open_tools, open_wall


def reading_of(task: Task, model: LanguageModel) -> Program | str:
    """The precondition the model writes, or why there is none."""
    asked = inputs.question(task.prompt)
    if asked is None:
        return "nothing to read"
    [reply] = model.complete([codegen.request(asked, temperature=0.0)], Unwatched())
    made = codegen.read(reply.text, asked, Origin("paraphrase", "precondition"))
    return "no program" if isinstance(made, NoProgram) else made


def measure(task: Task, target: Program, model: LanguageModel, tools: Tools) -> Counter[str]:
    examples = inputs.examples_of(task.prompt)
    parameters = inputs.parameters_of(task.prompt, examples, target.source)
    seeds = inputs.seeds_of(examples)
    rules = inputs.precondition_of(task.prompt, parameters, examples)
    campaign = Campaign(target, parameters, seeds, precondition=rules)
    with closing(open_wall(Settings())) as wall:
        found = LoopFuzzer(wall).fuzz(campaign, FuzzBudget(), Unwatched())
    given = (*seeds, *found)
    reading = reading_of(task, model)
    valid = dict(zip(given, _valid(task, given, tools), strict=True))
    counts = Counter(tasks=1, inputs=len(given), invalid=sum(not one for one in valid.values()))
    if isinstance(reading, str):
        return counts + Counter({reading: 1})
    [outcomes] = tools.sandbox.run([reading], given, LIMITS, Unwatched())
    sorted_out = inputs.sort_out(given, outcomes)
    counts += Counter({sorted_out.distrust.partition(" of ")[0] or "believed": 1})
    return counts + Counter("wrong" if valid[one] else "right" for one in sorted_out.apart)


def _valid(task: Task, given: tuple[Arguments, ...], tools: Tools) -> list[bool]:
    [outcomes] = tools.sandbox.run([task.contract], given, LIMITS, Unwatched())
    return [isinstance(outcome, Returned) and outcome.value == value_of(True) for outcome in outcomes]


def report(total: Counter[str]) -> dict[str, Any]:
    kept = total["inputs"] - total["right"] - total["wrong"]
    return {
        **total,
        "invalid_share_before": round(total["invalid"] / total["inputs"], 4),
        "invalid_share_after": round((total["invalid"] - total["right"]) / kept, 4),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--programs", type=Path, required=True)
    parser.add_argument("--truth", type=Path, required=True)
    parser.add_argument("--llm", default="embedded")
    parser.add_argument("--each", type=int, default=4)
    options = parser.parse_args()
    targets = {row["task_id"]: row["program"] for row in reversed(read_rows(options.programs))}
    total: Counter[str] = Counter()
    with closing(open_tools(Settings(llm=options.llm, fuzzer="loop"))) as tools:
        for task in [task_of(row) for row in read_rows(options.truth)][:: options.each]:
            source = task.prompt.preamble + targets[task.task_id]
            found = measure(task, Program(source, task.prompt.entry_point, Origin("target")), tools.model(), tools)
            print(task.task_id, dict(found), file=sys.stderr, flush=True)
            total += found
    print(json.dumps(report(total)))


if __name__ == "__main__":
    main()
