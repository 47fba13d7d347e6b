"""What the VS Code extension offers to set is what the engine and the server know, with the same defaults."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from mpt import __version__
from mpt.settings import HARMLESS, Settings
from mpt_server.engine import IN_AN_EDITOR
from mpt_server.settings import ServerSettings, effective

MANIFEST = json.loads((Path(__file__).parents[2] / "editors/vscode/package.json").read_text(encoding="utf-8"))
DECLARED: dict[str, dict[str, Any]] = {
    key.removeprefix("mpt."): declared
    for section in MANIFEST["contributes"]["configuration"]
    for key, declared in section["properties"].items()
    if not key.startswith("mpt.server.")
}
OURS = asdict(Settings()) | IN_AN_EDITOR | asdict(ServerSettings())


def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower()


def test_every_setting_is_offered_and_none_that_there_is_not() -> None:
    assert sorted(map(snake, DECLARED)) == sorted(OURS)


def test_defaults_are_the_same() -> None:
    offered = {snake(name): declared["default"] for name, declared in DECLARED.items()}
    assert offered == {name: list(value) if isinstance(value, tuple) else value for name, value in OURS.items()}


@pytest.mark.parametrize("name", [name for name, declared in DECLARED.items() if "enum" in declared])
def test_choices_are_the_same(name: str) -> None:
    for choice in DECLARED[name]["enum"]:
        assert effective(Settings(), None, {name: choice}, None).warnings == ()
    [warning] = effective(Settings(), None, {name: "?"}, None).warnings
    assert f"is one of {', '.join(DECLARED[name]['enum'])}" in warning


@pytest.mark.parametrize("name", [name for name, declared in DECLARED.items() if "minimum" in declared])
def test_bounds_are_the_same(name: str) -> None:
    low, high = DECLARED[name]["minimum"], DECLARED[name]["maximum"]
    for bound in (low, high):
        assert effective(Settings(), None, {name: bound}, None).warnings == ()
    for outside in (low - 1, high + 1):
        assert len(effective(Settings(), None, {name: outside}, None).warnings) == 1


def test_only_harmless_settings_of_the_engine_can_be_set_by_a_workspace() -> None:
    of_workspace = {snake(name) for name, declared in DECLARED.items() if declared["scope"] == "resource"}
    assert of_workspace - set(asdict(ServerSettings())) == HARMLESS


def test_the_versions_are_the_same() -> None:
    assert MANIFEST["version"] == __version__
