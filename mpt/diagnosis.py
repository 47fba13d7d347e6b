"""What a check would use on this machine, and what is missing, each found out by trying: `mpt doctor`."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass

from mpt import wiring
from mpt.adapters import plugins
from mpt.adapters.afl_fuzzer import afl_missing
from mpt.adapters.budget import spent_on, utc_today
from mpt.adapters.embedded_download import missing, models_folder
from mpt.adapters.sandbox import WallReport, report_all
from mpt.errors import MptError
from mpt.settings import Settings


@dataclass(frozen=True, slots=True)
class Finding:
    """One part. needed: without it no check runs."""

    part: str
    says: str
    works: bool
    needed: bool = True


def diagnose(settings: Settings) -> Iterator[Finding]:
    """Language model, interpreter, walls, fuzzers, store, plugins; one after the other, as they are found out."""
    yield _model(settings)
    yield from _walls(settings)
    yield from _fuzzers(settings)
    yield _store(settings)
    yield from _types()


def _model(settings: Settings) -> Finding:
    try:
        remote = wiring.remote_model(settings.llm)
    except MptError as error:
        return Finding("model", str(error), works=False)
    if remote is None:
        problem = missing(models_folder())
        return Finding("model", problem or f"the embedded model in {models_folder()}", works=problem is None)
    key = "with a key" if wiring.api_key(remote.base_url) else "without a key (MPT_API_KEY is not set)"
    return Finding("model", f"{remote.name} at {remote.base_url}, {key}; not asked now", works=True)


def _walls(settings: Settings) -> Iterator[Finding]:
    python = wiring.interpreter(settings)
    try:
        reports = report_all(python)
    except MptError as error:
        yield Finding("interpreter", str(error), works=False)
        return
    yield Finding("interpreter", str(python), works=True)
    chosen = next((one.wall for one in reports if _chosen(one, settings)), None)
    for report in reports:
        used = report.wall == chosen
        yield Finding("wall", _wall_says(report, used=used), works=report.holds or used, needed=False)
    if chosen is None:
        yield Finding("wall", "no wall holds, so nothing would run; --sandbox none runs without one", works=False)


def _chosen(report: WallReport, settings: Settings) -> bool:
    if settings.sandbox == "none":
        return report.wall == "none"
    return report.holds and report.wall != "none" and settings.sandbox in ("auto", report.wall)


def _wall_says(report: WallReport, *, used: bool) -> str:
    held = sum(finding.held for finding in report.findings)
    parts = [f"{report.wall}{' (used)' if used else ''}"]
    if report.findings:
        parts.append(f"stops {held} of {len(report.findings)} trials")
    if report.reason:
        parts.append(report.reason)
    return "; ".join((*parts, *report.caveats))


def _fuzzers(settings: Settings) -> Iterator[Finding]:
    problem = afl_missing(wiring.interpreter(settings))
    asked = settings.fuzzer == "afl"
    if not asked:
        yield Finding("fuzzer", "loop: in-process coverage loop", works=True)
    where = "" if asked else " (where the loop finds too few)"
    afl = f"afl: {problem}" if problem else f"afl: {shutil.which('afl-fuzz')}, python-afl{where}"
    yield Finding("fuzzer", afl, works=problem is None, needed=asked)


def _types() -> Iterator[Finding]:
    """The types that plugins tell of, and the plugins that cannot be used."""
    found = plugins.load()
    if found.types:
        yield Finding("types", f"{', '.join(one.name for one in found.types)} (mpt.types)", works=True)
    for problem in found.problems:
        yield Finding("types", problem, works=False, needed=False)


def _store(settings: Settings) -> Finding:
    try:
        store = wiring.open_store()
        try:
            spent = spent_on(store, utc_today())
        finally:
            store.close()
    except MptError as error:
        return Finding("store", str(error), works=False)
    limit = f"{spent.calls:,} of {settings.max_calls_per_day:,} language model calls spent today"
    return Finding("store", f"{store.path}; {limit}", works=True)
