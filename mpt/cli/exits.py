"""Exit codes of `mpt check` (DESIGN.md, section 4)."""

from __future__ import annotations

from collections.abc import Sequence

from mpt.values import Report

FINE = 0
"""Nothing is INCONSISTENT."""
INCONSISTENT = 1
FAILED = 2
"""Usage, settings, or our own failure."""
NOTHING_JUDGED = 3
"""Nothing at all could be judged."""
INTERRUPTED = 130
"""Ctrl-C, as shells say it."""


def exit_code(reports: Sequence[Report], *, failed: bool) -> int:
    """What a finished run means; `failed`: a failure of ours kept some function from being judged."""
    statuses = {report.verdict.status for report in reports}
    if "INCONSISTENT" in statuses:
        return INCONSISTENT
    if failed:
        return FAILED
    return FINE if statuses - {"INCONCLUSIVE"} else NOTHING_JUDGED
