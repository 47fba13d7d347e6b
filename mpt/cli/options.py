"""Flags that are settings, and how settings come together at the command line."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from mpt import settings as settings_of
from mpt.errors import SettingsError
from mpt.reporting.escape import printable
from mpt.settings import CONTEXTS, FUZZERS, POLICIES, SANDBOXES, SENSITIVITIES, Decoded, Settings

if TYPE_CHECKING:
    from rich.console import Console

F = TypeVar("F", bound=Callable[..., Any])

_FLAGS: tuple[tuple[str, Any, str], ...] = (
    ("--llm", str, 'Language model: "embedded", MODEL@BASE_URL, or MODEL of OpenAI\'s own service.'),
    ("--policy", str, f"How evidence becomes a verdict: {', '.join(POLICIES)}."),
    ("--sensitivity", str, f"How sure the policy default is before it warns: {', '.join(SENSITIVITIES)}."),
    ("--paraphrases", int, "Paraphrase programs a function."),
    ("--inputs", int, "Inputs at most, the docstring's examples not counted."),
    ("--context", str, f"What the model is told of the module around a function: {', '.join(CONTEXTS)}."),
    ("--seed", int, "Seed of every random choice."),
    ("--sandbox", str, f"The wall programs run behind: {', '.join(SANDBOXES)} (none: no wall at all)."),
    ("--fuzzer", str, f"What makes the inputs: {', '.join(FUZZERS)}."),
    ("--python", str, "Interpreter that runs the programs, inside the wall."),
    ("--max-calls-per-check", int, "Language model calls at most for one function."),
    ("--max-calls-per-day", int, "Language model calls at most a day."),
)


def settings_options(command: F) -> F:
    """Adds the flags that are settings; one not given arrives as None."""
    return reduce(_add, reversed(_FLAGS), command)


def _add(command: F, flag: tuple[str, Any, str]) -> F:
    name, kind, text = flag
    return click.option(name, type=kind, default=None, help=text)(command)


def person_settings(flags: dict[str, Any], err: Console) -> Settings:
    """Defaults, the person's settings file, MPT_LLM, flags. A flag with a wrong value raises SettingsError."""
    from mpt.wiring import user_settings_path

    decoded = settings_of.read_user(Settings(), user_settings_path())
    _warn(decoded, err)
    return _with_flags(decoded.settings, flags)


def project_settings(person: Settings, flags: dict[str, Any], pyproject: Path | None, err: Console) -> Settings:
    """The person's settings with what the project may set; flags still come last."""
    if pyproject is None:
        return person
    decoded = settings_of.read_project(person, pyproject)
    _warn(decoded, err)
    return _with_flags(decoded.settings, flags)


def _with_flags(base: Settings, flags: dict[str, Any]) -> Settings:
    given = {name: value for name, value in flags.items() if value is not None}
    if "llm" not in given and os.environ.get("MPT_LLM"):
        given["llm"] = os.environ["MPT_LLM"]
    for name, value in given.items():
        decoded = settings_of.apply(base, {name: value}, f"--{name.replace('_', '-')}")
        if decoded.warnings:
            raise SettingsError(decoded.warnings[0].partition("; kept")[0])
        base = decoded.settings
    return base


def _warn(decoded: Decoded, err: Console) -> None:
    for warning in decoded.warnings:
        err.print(f"warning: {printable(warning, 1000)}", style="yellow", markup=False, soft_wrap=True)
