"""The paper's own setting, fresh: one model writes the target and the paraphrase programs of each task.

What it writes goes to a programs file in the recorded format, a task's lines at once, so that the experiment on it is
the same as on anybody's recordings, and a run that was killed goes on with the next task.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from mpt import codegen, pipeline
from mpt.errors import UsageError
from mpt.evaluation.experiments import Experiment, Selector
from mpt.evaluation.folder import cut_torn
from mpt.evaluation.prompts import Task
from mpt.ports import Tools, Watch
from mpt.settings import Settings
from mpt.values import NoProgram, Origin

OWN_MODEL = Experiment(
    "own-model",
    "one model writes target and paraphrase programs",
    target=Selector((("relation", "original"),)),
    witnesses=(Selector((("relation", "paraphrase"),)),),
)
"""The experiment on such a file."""


def write_programs(tasks: Iterable[Task], path: Path, tools: Tools, settings: Settings, watch: Watch) -> None:
    """Adds the programs of the tasks that `path` does not hold yet. Raises MptError, Cancelled."""
    held = _held(path)
    todo = [task for task in tasks if task.task_id not in held]
    for number, task in enumerate(todo, start=1):
        watch.phase(f"{task.task_id} ({number} of {len(todo)})", 0)
        lines = _lines(task, tools, settings, watch)
        with path.open("a", encoding="utf-8") as file:
            file.write("".join(line + "\n" for line in lines))


def chosen_tasks(tasks: Sequence[Task], which: str) -> list[Task]:
    """`START:STOP:STEP` over the dataset, as Python slices a list. Raises UsageError."""
    try:
        parts = [int(part) if part.strip() else None for part in which.split(":")]
        found = list(tasks[slice(*parts)]) if len(parts) > 1 else []
    except (ValueError, TypeError):
        found = []
    if not found:
        raise UsageError(f"--tasks {which!r}: wants START:STOP:STEP over the dataset's tasks, such as 0:40:2")
    return found


def _held(path: Path) -> set[str]:
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        return set()
    return {json.loads(line)["task_id"] for line in cut_torn(path)}


def _lines(task: Task, tools: Tools, settings: Settings, watch: Watch) -> list[str]:
    """The target's line, and one for each paraphrase program; an empty program where the model gave none."""
    prompt = task.parsed
    model = tools.model()
    [reply] = model.complete([codegen.request(prompt, settings.program_temperature)], watch)
    target = codegen.read(reply.text, prompt, Origin("target"))
    if isinstance(target, NoProgram):
        return [_line(task, model.name, "original", 0, "")]
    others = pipeline.write(prompt, tools, settings, watch)
    written = [_line(task, model.name, one.origin.relation, one.origin.paraphrase, one.source) for one in others]
    return [_line(task, model.name, "original", 0, target.source), *written]


def _line(task: Task, model: str, relation: str, sample: int, program: str) -> str:
    entry = {"task_id": task.task_id, "source": "fresh", "model": model, "relation": relation, "sample": sample}
    return json.dumps({**entry, "program": program})
