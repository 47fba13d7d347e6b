"""What holds for every test. See tests/README.md."""

from __future__ import annotations

import os

import hypothesis
import pytest

import skips


def pytest_configure(config: pytest.Config) -> None:
    # A busy machine is no bug: pytest-timeout bounds a test, and Hypothesis does not time single examples.
    hypothesis.settings.register_profile("ours", deadline=None)
    hypothesis.settings.load_profile("ours")
    if os.environ.get("CI"):
        config.pluginmanager.register(skips)
