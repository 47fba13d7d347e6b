"""How serious a diagnostic is follows how sure the verdict is."""

from __future__ import annotations

from dataclasses import replace

import pytest
from lsprotocol import types

from builders import evidence
from mpt.source import find_functions
from mpt.validation import judge
from mpt.values import Report
from mpt_server.convert import diagnostic

TEXT = 'def f(x):\n    """Return x."""\n    return x\n'
SEEN = evidence((1, 1), *[(2, 2)] * 5)


@pytest.mark.parametrize(
    ("probability", "severity"),
    [
        (0.95, types.DiagnosticSeverity.Warning),
        (0.45, types.DiagnosticSeverity.Information),
        (None, types.DiagnosticSeverity.Warning),  # no probability: all five agree
    ],
)
def test_a_warning_wants_a_high_probability(probability: float | None, severity: types.DiagnosticSeverity) -> None:
    verdict = replace(judge(SEEN, "consensus"), probability=probability)
    function = find_functions(TEXT, "a.py")[0]
    shown = diagnostic(function, Report(function, verdict, SEEN), TEXT.splitlines(), "utf-16")
    assert shown is not None
    assert shown.severity == severity
