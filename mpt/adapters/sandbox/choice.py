"""Which wall: the best that holds on this machine, found out by trying it with the very flags of the real run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from mpt.adapters.sandbox import interpreter, probe, walls
from mpt.adapters.sandbox.probe import WallReport
from mpt.adapters.sandbox.process import Setup, Worker, WorkerProcess
from mpt.adapters.sandbox.spawning import SpawningWorker
from mpt.adapters.sandbox.walls import Wall
from mpt.errors import InterpreterError, NoWall, SandboxError, SettingsError

WALLS: tuple[Wall, ...] = (walls.Bubblewrap(), walls.Landlock(), walls.SandboxExec())
"""Strongest first."""
NONE = walls.PlainProcess()


def start(setup: Setup) -> Worker:
    """A worker behind `setup.wall`, whatever that is worth. Raises SandboxError, InterpreterError."""
    return WorkerProcess(setup) if setup.wall.forks else SpawningWorker(setup)


def choose(kind: str, setup: Setup) -> Worker:
    """A worker behind the wall `kind`, which has been seen to hold; "auto": the strongest that does.

    `setup.wall` is not looked at. Raises NoWall with the reason and the remedy, InterpreterError, SettingsError.
    """
    if kind == NONE.name:
        return start(replace(setup, wall=NONE))
    candidates = [wall for wall in WALLS if kind in ("auto", wall.name)]
    if not candidates:
        names = ", ".join(("auto", *(wall.name for wall in WALLS), NONE.name))
        raise SettingsError(f"'sandbox' is one of {names}, not {kind!r}")
    reasons = []
    for wall in candidates:
        report, worker = try_out(replace(setup, wall=wall))
        if worker and report.holds:
            return worker
        if worker:
            worker.close()
        if report.tried or kind != "auto" or wall is WALLS[0]:
            reasons.append(f"{wall.name}: {report.reason}")
    raise NoWall(f"no wall holds here, so nothing is run ({'; '.join(reasons)})")


def try_out(setup: Setup) -> tuple[WallReport, Worker | None]:
    """Starts a worker behind the wall and tries to break out of it. Raises InterpreterError."""
    wall = setup.wall
    unknown = WallReport(wall.name, holds=False, tried=False, caveats=wall.caveats)
    missing = wall.missing()
    if missing:
        return replace(unknown, reason=missing), None
    try:
        worker = start(setup)
    except InterpreterError:
        raise
    except SandboxError as error:
        return replace(unknown, tried=True, reason=f"{error}{remedy()}"), None
    try:
        findings = probe.findings(worker)
    except SandboxError as error:
        return replace(unknown, tried=True, reason=str(error)), worker
    through = ", ".join(finding.what for finding in findings if not finding.held)
    reason = f"it lets through: {through}" if through else ""
    return replace(unknown, holds=not through, tried=True, reason=reason, findings=findings), worker


def report_all(python: Path | None = None) -> tuple[WallReport, ...]:
    """Every wall, tried out where it can be, and last what "none" means. Raises InterpreterError."""
    found = interpreter.find(python)
    reports = []
    for wall in (*WALLS, NONE):
        report, worker = try_out(Setup(wall, found))
        if worker:
            worker.close()
        reports.append(report)
    return tuple(reports)


_SWITCHES = (
    ("kernel/apparmor_restrict_unprivileged_userns", "1", "Ubuntu's AppArmor forbids them", "0"),
    ("kernel/unprivileged_userns_clone", "0", "this kernel forbids them", "1"),
    ("user/max_user_namespaces", "0", "this machine has none", "10000"),
)
"""What keeps name spaces from people: file below /proc/sys, forbidding value, what to say, allowing value."""
_CONTAINER_MARKS = (".dockerenv", "run/.containerenv")


def remedy(root: Path = Path("/")) -> str:
    """What would let people make name spaces on the system at `root`, to follow a reason; empty where not known."""
    for name, forbids, says, allows in _SWITCHES:
        path = root / "proc/sys" / name
        if path.is_file() and path.read_text().strip() == forbids:
            return f": {says}; allow name spaces with: sudo sysctl {name.replace('/', '.')}={allows}"
    if any((root / mark).exists() for mark in _CONTAINER_MARKS):
        return ": start the container with --security-opt seccomp=unconfined --security-opt apparmor=unconfined"
    return ""
