"""What the server asks of mpt: shared where it can be, out of the way of the person's own work."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

import builders
from distributions import install
from fakes import FakeWatch
from mpt import wiring
from mpt.adapters.arrivals import Arrivals
from mpt.adapters.sqlite_store import SqliteStore
from mpt.settings import Settings
from mpt.source import find_functions
from mpt.values import Limits
from mpt_server.engine import LateStore, Toolbox, real
from mpt_server.verdicts import fingerprint


def test_two_interpreters_share_one_language_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    opened: list[str] = []
    open_model = wiring.open_model

    def counted(settings: Settings) -> Arrivals:
        opened.append(settings.llm)
        return open_model(settings)

    monkeypatch.setattr(wiring, "open_model", counted)
    other = tmp_path / "python"
    other.symlink_to(sys.executable)
    tools = Toolbox(real())
    try:
        first, second = (tools.get(Settings(fuzzer="loop", python=python)) for python in ("", str(other)))
        assert first.sandbox is not second.sandbox
        tools.get(Settings(fuzzer="loop", llm="other@http://127.0.0.1:9/v1"))
        assert opened == ["embedded", "other@http://127.0.0.1:9/v1"]
    finally:
        tools.close()


def test_a_closed_store_is_empty_and_keeps_nothing(tmp_path: Path) -> None:
    store = LateStore(lambda: SqliteStore(tmp_path / "store.sqlite3"))
    store.put("kind", "key", "text")
    assert store.get("kind", "key") == "text"
    store.close()
    store.put("kind", "other", "text")
    assert store.get("kind", "key") is None
    assert not store.add("kind", "counter", 1, 5)
    store.close()


def test_what_is_started_stands_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    tools = Toolbox(real())
    asked = builders.program("import os\n\n\ndef f():\n    return os.getpriority(os.PRIO_PROCESS, 0)\n")
    try:
        for nice in (0, 7):
            sandbox = tools.get(Settings(fuzzer="loop", nice=nice)).sandbox
            [[outcome]] = sandbox.run([asked], [builders.arguments()], Limits(), FakeWatch())
            assert outcome == builders.returned(nice + os.nice(0))
    finally:
        tools.close()


def test_plugins_are_part_of_what_verdicts_hang_on_and_broken_ones_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [function] = find_functions('def f(x):\n    """Nothing."""\n')
    assert real().types() == "[]"
    install(tmp_path, "tiles", "engine_tiles", PLUGIN, {"tile": "engine_tiles:TILE", "gone": "engine_tiles:GONE"})
    monkeypatch.syspath_prepend(tmp_path)
    engine = real()
    assert [one for one in engine.base().warnings if one.startswith("mpt: tiles 1.0: its entry point 'gone'")]
    assert "tiles.Tile" in engine.types()
    keys = {fingerprint(function, Settings(), types) for types in ("[]", engine.types())}
    assert len(keys) == 2


PLUGIN = "from mpt.types import ForeignType\nTILE = ForeignType('tiles.Tile', ('tiles.Tile(1)',))\n"
