"""The baseline that asks: a language model reads the prompt and the program, and says how likely it is wrong.

Its lines are as `mpt.evaluation.judging` writes them; it sees no evidence, and like the policies nothing of the truth.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from mpt.evaluation.experiments import Experiment, Trial
from mpt.evaluation.prompts import Task
from mpt.ports import LanguageModel, Watch
from mpt.values import Message, Request

NAME = "llm-judge"
MAX_TOKENS = 16
_INSTRUCTION = "You judge Python functions. You answer with one whole number from 0 to 100 and nothing else."
_QUESTION = (
    "A function was asked for:\n\n```python\n{prompt}\n```\n\n"
    "This is what was written:\n\n```python\n{program}\n```\n\n"
    "How likely is it, from 0 (surely right) to 100 (surely wrong), that it does not do what was asked for?"
)


def request(task: Task, program: str) -> Request:
    messages = (Message("system", _INSTRUCTION), Message("user", _QUESTION.format(prompt=task.prompt, program=program)))
    return Request(messages, 0.0, MAX_TOKENS, NAME)


def judge(
    task: Task, trials: Sequence[tuple[Experiment, tuple[Trial, ...]]], model: LanguageModel, watch: Watch
) -> str:
    """The line of one task; each target's text is asked about once. Raises ModelError, Cancelled."""
    texts = list(dict.fromkeys(trial.target.program for _, found in trials for trial in found))
    replies = model.complete([request(task, text) for text in texts], watch)
    said = {text: read(reply.text) for text, reply in zip(texts, replies, strict=True)}
    rows = [_row(experiment, trial, said[trial.target.program]) for experiment, found in trials for trial in found]
    return json.dumps({"task_id": task.task_id, "policy": NAME, "trials": rows}, separators=(",", ":"))


def read(reply: str) -> float | None:
    """The probability in a reply, None where there is none."""
    numbers = [int(number) for number in re.findall(r"\d+", reply)]
    return numbers[0] / 100 if numbers and numbers[0] <= 100 else None


def _row(experiment: Experiment, trial: Trial, chance: float | None) -> dict[str, object]:
    status = "INCONCLUSIVE" if chance is None else "INCONSISTENT" if chance >= 0.5 else "CONSISTENT"
    return {
        "experiment": experiment.label,
        "line": trial.target.line,
        "subset": trial.subset,
        "witnesses": [one.line for one in trial.witnesses],
        "status": status,
        "score": chance,
        "probability": chance,
        "agreement": None,
        "reason": "no number in the reply" if chance is None else f"the model says {chance:.0%}",
        "instead": None,
    }
