"""In CI nothing is skipped in silence: there, a skip whose reason is not on this page is a failure.

The suite skips where a machine lacks something (AFL++, bubblewrap, another interpreter). CI has AFL++, bubblewrap and
the server's client, so what they skip there is a test that has stopped testing.
"""

from __future__ import annotations

import re
from collections.abc import Generator
from typing import TypeVar

import pytest

ACCEPTED = (re.compile(r"python3\.\d+ is not installed"),)
"""Reasons CI accepts: other interpreters come from neither PyPI nor Debian."""

R = TypeVar("R", pytest.TestReport, pytest.CollectReport)


def _refused(report: R) -> R:
    if report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        if not any(accepted.search(reason) for accepted in ACCEPTED):
            report.outcome = "failed"
            report.longrepr = f"CI skips nothing but for a reason in tests/skips.py, and this is none: {reason}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    return _refused((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    return _refused((yield))
