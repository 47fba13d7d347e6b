"""Records the replies that the editors' tests are answered with: `python tests/editors/record.py FOLDER`.

A scripted model on loopback writes right programs in five ways, so the wrong function of workspace/demo.py is found
out and the right one is not, nor is what it is replaced by.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from chat_server import Answer, Asked, ChatServer, completion  # noqa: E402

REWORDINGS = {
    "neighbours": (
        "Return the largest distance between two numbers next to each other in the list, 0 if there are none.",
        "What is the greatest absolute difference of adjacent numbers? A list of fewer than two numbers gives 0.",
        "Given a list, find the widest gap between neighbouring numbers. Return 0 where the list has no neighbours.",
        "Of all pairs of neighbours in the list, return how far apart those furthest apart are; 0 for no pair at all.",
        "Find the biggest gap between any number and the one after it. With one number or none, the answer is 0.",
    ),
    "sorted": (
        "Sort the list and return the number in its middle; the smaller one of two. Return 0 for an empty list.",
        "Return the median of the numbers, taking the lower one where there are two, and 0 where there is no number.",
        "Which number is in the middle of the sorted list? With two in the middle take the smaller. No numbers: 0.",
        "Given a list, return the middle one of its numbers in order of size, the lower middle if even, 0 if empty.",
        "Find the lower median of a list of numbers. The lower median of an empty list is 0.",
    ),
}

PROGRAMS = {
    "largest_gap": (
        "return max((abs(a - b) for a, b in zip(numbers, numbers[1:])), default=0)",
        "gap = 0\n    for a, b in zip(numbers, numbers[1:]):\n        gap = max(gap, abs(a - b))\n    return gap",
        "n = numbers\n    return max(abs(n[i] - n[i + 1]) for i in range(len(n) - 1)) if len(n) > 1 else 0",
        "import itertools\n    return max((abs(x - y) for x, y in itertools.pairwise(numbers)), default=0)",
        "gaps = [abs(b - a) for a, b in zip(numbers, numbers[1:])]\n    return max(gaps) if gaps else 0",
    ),
    "middle": (
        "return sorted(numbers)[(len(numbers) - 1) // 2] if numbers else 0",
        "if not numbers:\n        return 0\n    ordered = sorted(numbers)\n    return ordered[(len(ordered) - 1) // 2]",
        "import statistics\n    return statistics.median_low(numbers) if numbers else 0",
        "numbers = sorted(numbers)\n    return numbers[(len(numbers) - 1) // 2] if numbers else 0",
        "left = sorted(numbers)\n    while len(left) > 2:\n        left = left[1:-1]\n    return next(iter(left), 0)",
    ),
}

SIGNATURES = {
    "largest_gap": "def largest_gap(numbers: list[int]) -> int:",
    "middle": "def middle(numbers: list[int]) -> int:",
}


class Model:
    """Answers each kind of request in turn with the next of its answers."""

    def __init__(self) -> None:
        self._given: dict[str, int] = {}

    def __call__(self, asked: Asked) -> Answer:
        said = asked.body["messages"][-1]["content"]
        name = next((name for name in PROGRAMS if f"def {name}(" in said), None)
        if name:
            body = self._next(name, PROGRAMS[name])
            return completion(f"```python\n{SIGNATURES[name]}\n    {body}\n```")
        word = next(word for word in REWORDINGS if word in said)
        return completion(self._next(word, REWORDINGS[word]))

    def _next(self, key: str, answers: tuple[str, ...]) -> str:
        number = self._given.get(key, 0)
        self._given[key] = number + 1
        return answers[number % len(answers)]


COMPLETION = "    return sorted(numbers)[len(numbers) // 2] if numbers else 0\n"
"""What the extension in vscode/completions offers as the body of workspace/assistant.py. Wrong: of two, the larger."""


def replaced(demo: str) -> list[str]:
    """workspace/demo.py with each program in the wrong function's place, as a code action puts it there."""
    wrong = ast.parse(demo).body[1].body[-1]
    mine = ast.get_source_segment(demo, wrong)
    bodies = [ast.parse(f"def f(numbers):\n    {body}").body[0].body for body in PROGRAMS["largest_gap"]]
    texts = [ast.unparse(ast.Module(body, [])).replace("\n", "\n    ") for body in bodies]
    return [demo.replace(mine, text) for text in texts]


def main(recording: Path) -> None:
    """Exits with 1 where `mpt check` does not end with 1, as it does where something is inconsistent."""
    shutil.rmtree(recording, ignore_errors=True)
    with ChatServer(Model()).serving() as chat, tempfile.TemporaryDirectory() as empty:
        completed = Path(empty) / "assistant.py"
        completed.write_text((HERE / "workspace" / "assistant.py").read_text() + COMPLETION)
        demo = HERE / "workspace" / "demo.py"
        paths = [str(demo), str(completed)]
        for number, text in enumerate(replaced(demo.read_text())):
            (Path(empty) / f"demo{number}.py").write_text(text)
            paths.append(str(Path(empty) / f"demo{number}.py"))
        asking = ["--llm", f"scripted@{chat.url}", "--fuzzer", "loop", "--record", str(recording)]
        checked = subprocess.run(
            [sys.executable, "-c", "from mpt.cli import main; main()", "check", *paths, *asking],
            env={**os.environ, "XDG_CACHE_HOME": empty, "XDG_CONFIG_HOME": empty},
            check=False,
        )
    if checked.returncode != 1:
        sys.exit(f"{recording}: mpt check ended with {checked.returncode}, not with 1 for the wrong functions")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
