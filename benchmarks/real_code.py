"""Functions of well-known packages, judged without a language model: by copies of themselves, and mutated.

    python benchmarks/real_code.py --json
    python benchmarks/real_code.py --python python3.9 --functions 60 --every 6

The packages are installed, pinned, into an environment of their own. Functions and methods are taken by a rule: public
and documented, from modules that are neither private nor tests (private ones where a package has no others), of every
package as many, evenly over its files. None is left out. Each is checked as `mpt check` would, the paraphrase programs
being copies of itself: it must be CONSISTENT. Those that are, every `--every`-th of them, are checked again with up to
five mutants as the target and five copies of the original as paraphrase programs: those mutants that differ on any of
2,000 other inputs should be INCONSISTENT. Two processes share the work.

functions      how many were taken
judged         share with a verdict other than INCONCLUSIVE
false_alarms   share of the judged that were not CONSISTENT
mutants_found  share of the mutants that differ on some of the 2,000 inputs and were reported
seconds_p50    median seconds of a check of the function itself
reasons        why the rest was INCONCLUSIVE, by number

alarms, mutants (made, and how many of them differ), functions_by_mutants (how many functions gave how many mutants),
equal_but_reported (mutants that were reported though none of the 2,000 inputs tells them apart), packages (of each:
functions, judged, mutants that differ, found), minutes. It fails where a file of the environment changed, a process is
left or a program reached the network. One run at a time from one folder: another's processes would count as left.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
import real_proofs
from real_checks import MUTANTS, Judged, judged, told
from real_packages import environment, package_of, taken

from mpt.values import Function


def main() -> None:
    options = _options()
    python = environment(options.python)
    files, processes = real_proofs.fingerprint(python), real_proofs.workers()
    functions = taken(python, options.functions)
    if options.only:
        functions = [one for one in functions if re.search(options.only, f"{one.path}:{one.name}")]
    tally = Tally(functions)
    with real_proofs.listening() as listener:
        for one in judged(functions, python, options.every, options.processes):
            tally.note(one)
            if options.details:
                with options.details.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({"name": tally.name(one), **asdict(one)}) + "\n")
            if options.verbose or len(tally.all) % 20 == 0:
                told(functions[one.number], one, len(tally.all), len(functions))
        found = {**tally.summary(), **real_proofs.network(python, listener)}
    found["processes_left"] = len(real_proofs.left(processes))
    found["files_changed"] = real_proofs.changed(files, real_proofs.fingerprint(python))[:10]
    found["unchanged"] = not found["files_changed"]
    print(json.dumps(found, indent=None if options.json else 2))
    sys.exit(0 if found["unchanged"] and found["processes_left"] == 0 and found["network_held"] else 1)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="one line of JSON")
    parser.add_argument("--python", default=sys.executable, help="interpreter that the environment is made with")
    parser.add_argument("--functions", type=int, default=432, help="how many functions are taken")
    parser.add_argument("--every", type=int, default=1, help="every so many is mutated")
    parser.add_argument("--processes", type=int, default=2, help="how many judge at a time")
    parser.add_argument("--only", default="", help="a regular expression: of the taken those whose FILE:NAME has it")
    parser.add_argument(
        "--details", type=Path, help="a file that a line of JSON a function, its mutants too, is added to"
    )
    parser.add_argument("--verbose", action="store_true", help="a line a function on stderr, not only every 20th")
    return parser.parse_args()


@dataclass
class Tally:
    """What came of it all."""

    functions: Sequence[Function]
    started: float = field(default_factory=time.monotonic)
    all: list[Judged] = field(default_factory=list)

    def note(self, one: Judged) -> None:
        self.all.append(one)

    def summary(self) -> dict[str, Any]:
        conclusive = [one for one in self.all if one.status != "INCONCLUSIVE"]
        alarms = sorted(self.name(one) for one in conclusive if one.status != "CONSISTENT")
        hunts = [hunt for one in self.all for hunt in one.hunts]
        killable = [hunt for hunt in hunts if hunt.differs]
        reported = [hunt for hunt in hunts if hunt.status == "INCONSISTENT"]
        sought = Counter(len(one.hunts) for one in self.all if one.sought)
        return {
            "functions": len(self.all),
            "judged": _share(len(conclusive), len(self.all)),
            "false_alarms": _share(len(alarms), len(conclusive)),
            "mutants_found": _share(sum(hunt.differs for hunt in reported), len(killable)),
            "seconds_p50": round(statistics.median(one.seconds for one in self.all), 2),
            "reasons": self._reasons(),
            "alarms": alarms,
            "mutants": len(hunts),
            "mutants_that_differ": len(killable),
            "equal_but_reported": sum(not hunt.differs for hunt in reported),
            "functions_by_mutants": {str(count): sought[count] for count in range(MUTANTS + 1)},
            "packages": self._packages(),
            "minutes": round((time.monotonic() - self.started) / 60, 1),
        }

    def _reasons(self) -> dict[str, int]:
        reasons = (one.reason for one in self.all if one.status == "INCONCLUSIVE")
        return dict(Counter(map(_kind, reasons)).most_common())

    def _packages(self) -> dict[str, list[int]]:
        rows: dict[str, list[int]] = {}
        for one in sorted(self.all, key=lambda one: one.number):
            row = rows.setdefault(package_of(self.functions[one.number]), [0, 0, 0, 0])
            differing = [hunt for hunt in one.hunts if hunt.differs]
            found = sum(hunt.status == "INCONSISTENT" for hunt in differing)
            for index, count in enumerate((1, one.status != "INCONCLUSIVE", len(differing), found)):
                row[index] += count
        return rows

    def name(self, one: Judged) -> str:
        function = self.functions[one.number]
        return f"{function.place.module.name if function.place else package_of(function)}.{function.name}"


def _kind(reason: str) -> str:
    """The reason without what is one function's alone."""
    reason = re.sub(r"[\w.\[\]']+\(…\) raises .*|'[^']*'|\(.*\)|\d+", "…", reason, flags=re.DOTALL)
    return reason[:120]


def _share(some: int, of: int) -> float:
    return round(some / max(1, of), 4)


if __name__ == "__main__":
    main()
