"""Who may set what, and what happens to a wrong value."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from mpt.errors import SettingsError
from mpt.settings import HARMLESS, Settings, apply, nearest_pyproject, read_project, read_user

HOSTILE = {
    "llm": '"evil@http://127.0.0.1:9/v1"',
    "python": '"/bin/evil"',
    "sandbox": '"none"',
    "max_calls_per_day": "1000000",
    "memory_bytes": "99999999999",
}


def _project(folder: Path, body: str) -> Path:
    path = folder / "pyproject.toml"
    path.write_text(f"[tool.mpt]\n{body}\n")
    return path


def test_a_project_sets_what_is_harmless(tmp_path: Path) -> None:
    decoded = read_project(Settings(), _project(tmp_path, 'paraphrases = 7\nignore = ["gen/*"]\npolicy = "majority"'))
    assert decoded.warnings == ()
    assert (decoded.settings.paraphrases, decoded.settings.ignore) == (7, ("gen/*",))
    assert decoded.settings.policy == "majority"


@pytest.mark.parametrize("key", sorted(HOSTILE))
def test_a_project_cannot_choose_model_money_sandbox_or_interpreter(tmp_path: Path, key: str) -> None:
    decoded = read_project(Settings(), _project(tmp_path, f"{key} = {HOSTILE[key]}"))
    assert decoded.settings == Settings()
    [warning] = decoded.warnings
    assert f"{key!r} cannot be set by a project" in warning


def test_everything_not_harmless_is_refused_from_a_project() -> None:
    for field in fields(Settings):
        if field.name not in HARMLESS:
            value = getattr(Settings(), field.name)
            assert apply(Settings(), {field.name: value}, "x", harmless_only=True).warnings


def test_an_unknown_key_names_the_nearest_known_one(tmp_path: Path) -> None:
    [warning] = read_project(Settings(), _project(tmp_path, "paraphases = 3")).warnings
    assert "did you mean 'paraphrases'" in warning


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("paraphrases", 0),
        ("paraphrases", True),
        ("inputs", "many"),
        ("policy", "consensis"),
        ("agreement", 0.2),
        ("ignore", "x"),
        ("ignore", [1]),
        ("program_s", 0),
        ("check_s", 0),
        ("memory_bytes", 1),
    ],
)
def test_a_wrong_value_is_a_warning_and_the_old_value_stays(key: str, value: object) -> None:
    decoded = apply(Settings(), {key: value, "seed": 3}, "here")
    assert getattr(decoded.settings, key) == getattr(Settings(), key)
    assert decoded.settings.seed == 3
    assert decoded.warnings[0].startswith("here: ")


def test_a_wrong_choice_names_the_choices_and_the_nearest() -> None:
    with pytest.raises(SettingsError, match=r"one of default, consensus, majority, .*did you mean 'consensus'"):
        Settings(policy="consensis")


def test_the_persons_own_file_may_set_all(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text('llm = "m@http://127.0.0.1:1/v1"\nsandbox = "none"\nfuzz-s = 2\n')
    settings = read_user(Settings(), path).settings
    assert (settings.llm, settings.sandbox, settings.fuzz_s) == ("m@http://127.0.0.1:1/v1", "none", 2.0)


@pytest.mark.parametrize("content", [b"paraphrases = ", b"\xff\xfe", b"x = [1,"])
def test_a_broken_file_is_one_warning(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "settings.toml"
    path.write_bytes(content)
    decoded = read_user(Settings(), path)
    assert decoded.settings == Settings()
    assert len(decoded.warnings) == 1
    assert "cannot be read" in decoded.warnings[0]


def test_no_file_is_no_warning(tmp_path: Path) -> None:
    assert read_user(Settings(), tmp_path / "none.toml").warnings == ()


def test_a_tool_mpt_that_is_no_table(tmp_path: Path) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text("[tool]\nmpt = 3\n")
    assert "not a table" in read_project(Settings(), path).warnings[0]


def test_the_nearest_pyproject_governs(tmp_path: Path) -> None:
    outer, inner = _project(tmp_path, ""), tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    assert nearest_pyproject(inner / "x.py") == outer
