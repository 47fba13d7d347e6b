"""What a program and an input cost us on top of their own run, and how that grows; memory of the worker at rest."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mpt.adapters.sandbox import WalledSandbox
from mpt.spelling import value_of
from mpt.values import Arguments, Limits, Origin, Program

SOURCE = "from typing import List\n\ndef f(numbers: List[int]) -> List[int]:\n    return sorted(numbers)\n"
PROGRAMS = (1, 10, 100, 1000)
INPUTS = (20, 200, 2000)
REPEATS = 15


class Unwatched:
    """Nobody looks on."""

    def phase(self, name: str, total: int) -> None: ...

    def advance(self, steps: int = 1) -> None: ...

    def check(self) -> None: ...


def measure(sandbox: WalledSandbox) -> dict[str, Any]:
    table = [
        {"programs": programs, "inputs": inputs, "seconds": _seconds(sandbox, programs, inputs)}
        for programs in PROGRAMS
        for inputs in INPUTS
    ]
    cost = {(row["programs"], row["inputs"]): row["seconds"] for row in table}
    load_s, call_s = _own_run()
    alone = _seconds(sandbox, 1, 1)
    return {
        "program_overhead_ms": (alone - load_s - call_s) * 1e3,
        "input_overhead_us": ((cost[1, 2000] - cost[1, 20]) / 1980 - call_s) * 1e6,
        "worker_rss_mb": _memory_at_rest(),
        "growth": table,
    }


def _seconds(sandbox: WalledSandbox, programs: int, inputs: int) -> float:
    """Wall clock of one run, the median of some; programs as distinct as real ones are."""
    batch = [Program(f"{SOURCE}# {number}\n", "f", Origin("target")) for number in range(programs)]
    calls = [Arguments((value_of([number * step % 97 for step in range(number % 20)]),)) for number in range(inputs)]
    taken = []
    for _ in range(REPEATS if programs * inputs < 10_000 else 1):
        start = time.perf_counter()
        sandbox.run(batch, calls, Limits(program_s=60.0, check_s=3600.0), Unwatched())
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def _own_run() -> tuple[float, float]:
    """Seconds that loading the program and one call take by themselves, in a warm interpreter."""
    loads, calls = [], []
    for _ in range(200):
        start = time.perf_counter()
        module: dict[str, Any] = {}
        exec(compile(SOURCE, "<program>", "exec"), module)
        loaded = time.perf_counter()
        module["f"]([5, 3, 9, 1, 7, 2, 8, 4, 6, 0])
        calls.append(time.perf_counter() - loaded)
        loads.append(loaded - start)
    return statistics.median(loads), statistics.median(calls)


def _memory_at_rest() -> float:
    """Resident megabytes of the largest process below us: the worker's interpreter, between two runs."""
    below, resident = {os.getpid()}, [0.0]
    for pid, parent, megabytes in sorted(_processes()):  # a child's id is the greater one
        if parent in below:
            below.add(pid)
            resident.append(megabytes)
    return max(resident)


def _processes() -> Iterator[tuple[int, int, float]]:
    """Process id, parent's id and resident megabytes of everything that runs."""
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            fields = dict(line.split(":\t", 1) for line in status.read_text().splitlines() if ":\t" in line)
        except OSError:
            continue  # it ended meanwhile
        yield int(fields["Pid"]), int(fields["PPid"]), int(fields.get("VmRSS", "0 kB").split()[0]) / 1024


def show(result: dict[str, Any]) -> None:
    print(f"\na program costs {result['program_overhead_ms']:.1f} ms more than its own run")
    print(f"an input costs {result['input_overhead_us']:.0f} µs more than its own call")
    print(f"the worker at rest: {result['worker_rss_mb']:.1f} MB resident")
    print("\nseconds by programs (down) and inputs (across)")
    print(f"{'':>9}" + "".join(f"{inputs:>10}" for inputs in INPUTS))
    cost = {(row["programs"], row["inputs"]): row["seconds"] for row in result["growth"]}
    for programs in PROGRAMS:
        cells = (f"{cost[programs, i]:10.3f}" for i in INPUTS)
        print(f"{programs:>9}" + "".join(cells))


def plot(table: list[dict[str, Any]]) -> str:
    """Seconds over programs, a line for each number of inputs, both axes logarithmic."""
    from math import log10

    def x(programs: int) -> float:
        return 80 + 160 * log10(programs)

    def y(seconds: float) -> float:
        return 300 - 60 * log10(seconds / 0.001)

    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" width="640" height="360" font-family="sans-serif" font-size="12">'
    ]
    parts.append('<rect width="640" height="360" fill="white"/>')
    for power in range(-3, 2):
        level = y(10.0**power)
        parts.append(f'<path d="M80 {level}H560" stroke="#ddd"/><text x="8" y="{level + 4}">{10.0**power:g} s</text>')
    parts += [f'<text x="{x(programs) - 10}" y="330">{programs}</text>' for programs in PROGRAMS]
    parts.append('<text x="250" y="350">programs</text>')
    for inputs, colour in zip(INPUTS, ("#4477aa", "#ee6677", "#228833"), strict=True):
        points = [(x(row["programs"]), y(row["seconds"])) for row in table if row["inputs"] == inputs]
        line = " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
        end_x, end_y = points[-1]
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(f'<text x="{end_x + 6:.1f}" y="{end_y:.1f}" fill="{colour}">{inputs} inputs</text>')
    return "\n".join([*parts, "</svg>\n"])
