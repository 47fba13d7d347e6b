"""The documentation, held against what it documents. That its pages and anchors exist is `make docs`'s business."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from mpt import settings
from mpt.cli import cli
from mpt_server.commands import COMMANDS
from mpt_server.settings import ServerSettings

ROOT = Path(__file__).resolve().parents[2]
MANIFEST = json.loads((ROOT / "editors/vscode/package.json").read_text(encoding="utf-8"))


def _read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


SETTINGS, COMMAND_PAGE, TROUBLE = _read("docs/settings.md"), _read("docs/commands.md"), _read("docs/troubleshooting.md")
READMES = (_read("README.md"), _read("README.zh-CN.md"))


# --- settings -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [settings.Settings, ServerSettings])
def test_every_setting_is_there_with_its_default(kind: type[settings.Settings | ServerSettings]) -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| `([^`]*)` \|", SETTINGS, re.MULTILINE))
    defaults = {field.name: json.dumps(field.default) for field in dataclasses.fields(kind)}
    assert {name: rows.get(name) for name in defaults} == defaults


def test_no_setting_is_there_that_does_not_exist() -> None:
    fields = (*dataclasses.fields(settings.Settings), *dataclasses.fields(ServerSettings))
    assert set(re.findall(r"^\| `([a-z_]+)` \|", SETTINGS, re.MULTILINE)) == {field.name for field in fields}


@pytest.mark.parametrize("page", ["docs/settings.md", "docs/safety.md"])
def test_what_a_project_may_set_is_said(page: str) -> None:
    sentence = next(line for line in _read(page).splitlines() if "may set" in line)
    assert set(re.findall(r"`(\w+)`", sentence)) == settings.HARMLESS


# --- commands -------------------------------------------------------------------------------------


def _leaves(command: click.Command, path: tuple[str, ...] = ("mpt",)) -> Iterator[tuple[str, click.Command]]:
    """Each command that can be run, by its full name; a group that does something by itself is one."""
    if not isinstance(command, click.Group) or command.invoke_without_command:
        yield " ".join(path), command
    for name, sub in command.commands.items() if isinstance(command, click.Group) else ():
        yield from _leaves(sub, (*path, name))


def test_every_command_of_mpt_is_there() -> None:
    for name, _ in _leaves(cli):
        assert f"### {name}\n" in COMMAND_PAGE or f"| `{name}` |" in COMMAND_PAGE, name


@pytest.mark.parametrize("name", ["check", "evaluate"])
def test_every_flag_is_there_and_no_other(name: str) -> None:
    section = COMMAND_PAGE.partition(f"### mpt {name}\n")[2].partition("\n### ")[0].partition("\n## ")[0]
    flags = {option for one in cli.commands[name].params if isinstance(one, click.Option) for option in one.opts}
    assert set(re.findall(r"^\| `(--[a-z-]+)` \|", section, re.MULTILINE)) == flags - {"--help", "-h"}


def test_every_command_of_the_server_is_there_and_no_other() -> None:
    assert set(re.findall(r"^\| `(mpt\.\w+)` \|", COMMAND_PAGE, re.MULTILINE)) == set(COMMANDS)


def test_every_command_of_vs_code_is_there_and_no_other() -> None:
    section = COMMAND_PAGE.partition("## In VS Code\n")[2].partition("\n## ")[0]
    titles = {command["title"] for command in MANIFEST["contributes"]["commands"]}
    assert set(re.findall(r"^\| ([^|]+?) \|", section, re.MULTILINE)) - {"command", "---"} == titles


# --- messages -------------------------------------------------------------------------------------


def test_every_message_that_is_explained_is_said_somewhere() -> None:
    folders = {"mpt": "*.py", "server": "*.py", "editors/vscode/src": "*.ts"}
    files = [path for folder, pattern in folders.items() for path in (ROOT / folder).rglob(pattern)]
    said = "\n".join(path.read_text(encoding="utf-8") for path in files)
    explained = [part for row in re.findall(r"^\| `(.+?)` \|", TROUBLE, re.MULTILINE) for part in row.split("…")]
    assert len(explained) > 30
    assert [part for part in explained if part.strip() not in said] == []


# --- README ---------------------------------------------------------------------------------------


def _links(text: str) -> set[str]:
    return {target for target in re.findall(r"\]\(([^)#\s]+)", text) if not target.startswith("README")}


def test_the_translation_has_the_same_sections_tables_commands_and_links() -> None:
    english, chinese = READMES
    for shape in (r"^(#+) ", r"^(\|)", r"^(\*) "):
        assert len(re.findall(shape, english, re.MULTILINE)) == len(re.findall(shape, chinese, re.MULTILINE)), shape
    assert re.findall(r"^#+", english, re.MULTILINE) == re.findall(r"^#+", chinese, re.MULTILINE)
    assert re.findall(r"^```.*?^```", english, re.MULTILINE | re.DOTALL) == re.findall(
        r"^```.*?^```", chinese, re.MULTILINE | re.DOTALL
    )
    assert _links(english) == _links(chinese)


@pytest.mark.parametrize("text", READMES, ids=["English", "Chinese"])
def test_what_the_readme_links_to_is_there(text: str) -> None:
    local = [target for target in _links(text) if not target.startswith("https://")]
    assert len(local) > 15
    assert [target for target in local if not (ROOT / target).exists()] == []
