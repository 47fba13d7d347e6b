"""What the person set in the editor, over what their files say. See `mpt.settings` for who may set what.

    defaults < the person's file < MPT_LLM < the project's [tool.mpt] (harmless keys) < initializationOptions < "mpt"

"mpt" is the editor's section of that name: asked for (workspace/configuration) where the editor answers, else what it
last told (workspace/didChangeConfiguration). The editor's names may be camelCase; the server's own settings
(`ServerSettings`) stand in the same places.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from mpt.settings import Decoded, Settings, apply, nearest_pyproject, read_project

CHECK_ON = ("save", "idle", "command")
RANGES = {"concurrent_checks": (1, 64), "idle_s": (0.1, 3600)}


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """What only the server knows. All are the person's."""

    check_on: str = "save"
    """save; idle: also when a text was left alone for `idle_s`; command: only when asked to."""
    idle_s: float = 3.0
    """Seconds."""
    concurrent_checks: int = 2
    """Functions checked at a time."""
    code_lens: bool = True
    """A line above each checked function."""
    inlay_hints: bool = False
    """A word behind each checked function's signature."""
    generated_by: tuple[str, ...] = ()
    """Words of a comment that say an assistant wrote the function, besides those that name a known one."""


@dataclass(frozen=True, slots=True)
class Effective:
    """What holds for one document, and one line for each thing that was asked for and not done."""

    settings: Settings
    server: ServerSettings = ServerSettings()
    warnings: tuple[str, ...] = ()


def effective(base: Settings, options: object, section: object, path: Path | None) -> Effective:
    """Everything laid over one another for the document at `path` (None: no file). Reads pyproject.toml."""
    pyproject = nearest_pyproject(path.parent) if path else None
    project = read_project(base, pyproject) if pyproject else Decoded(base)
    settings, server, warnings = project.settings, ServerSettings(), list(project.warnings)
    for changes, where in ((section_of(options), "initializationOptions"), (section, "the editor's settings")):
        ours, theirs, wrong = _split(changes, where)
        decoded = apply(settings, theirs, where)
        server, refused = _apply_server(server, ours, where)
        settings = decoded.settings
        warnings += [*wrong, *decoded.warnings, *refused]
    return Effective(settings, server, tuple(warnings))


def section_of(told: object) -> object:
    """Our part of what an editor told: the section "mpt" where it names sections, all of it else."""
    if not isinstance(told, Mapping):
        return told
    if "mpt" in told:
        return told["mpt"]
    return None if all(isinstance(value, Mapping) for value in told.values()) else told


def _split(changes: object, where: str) -> tuple[dict[str, Any], dict[str, Any], list[str]]:
    """The server's own settings, the engine's, and what is wrong with the whole."""
    if changes is None:
        return {}, {}, []
    if not isinstance(changes, Mapping) or not all(isinstance(key, str) for key in changes):
        return {}, {}, [f"{where}: wants an object of settings, not {changes!r:.60}; ignored"]
    named = {_snake(key): value for key, value in changes.items() if value is not None}
    known = {field.name for field in fields(ServerSettings)}
    ours = {key: value for key, value in named.items() if key in known}
    theirs = {key: value for key, value in named.items() if key not in known and key not in NOT_SETTINGS}
    return ours, theirs, []


NOT_SETTINGS = frozenset({"trusted", "trace"})
"""Keys that editors put into the same objects and that are read elsewhere."""


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower()


def _apply_server(base: ServerSettings, changes: dict[str, Any], where: str) -> tuple[ServerSettings, list[str]]:
    warnings = []
    for name, value in changes.items():
        wrong = _wrong(name, value, type(getattr(base, name)))
        if wrong:
            warnings.append(f"{where}: {name!r} {wrong}, not {value!r:.60}; kept {getattr(base, name)!r}")
        else:
            change: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value}
            base = replace(base, **change)
    return base, warnings


def _wrong(name: str, value: object, kind: type) -> str | None:
    if kind is tuple:
        strings = isinstance(value, list) and all(isinstance(item, str) for item in value)
        return None if strings else "wants a list of strings"
    if type(value) is not kind and not (kind is float and type(value) is int):
        return f"wants {kind.__name__}"
    if name == "check_on" and value not in CHECK_ON:
        close = difflib.get_close_matches(str(value), CHECK_ON, n=1)
        return f"is one of {', '.join(CHECK_ON)}{f' (did you mean {close[0]!r}?)' if close else ''}"
    if isinstance(value, int | float) and name in RANGES:
        low, high = RANGES[name]
        return None if low <= value <= high else f"is from {low} to {high}"
    return None
