"""What the server asks of mpt, as values: the real thing for people, scripted ones for tests."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mpt.ports import Store, Tools, Watch
from mpt.settings import HARMLESS, Decoded, Settings
from mpt.values import Function, Report

if TYPE_CHECKING:
    from mpt.adapters.arrivals import Arrivals
    from mpt.adapters.plugins import Plugins


@dataclass(frozen=True, slots=True)
class Engine:
    """Everything is called from worker threads; `open_tools` from one at a time.

    base: the person's settings before the project's and the editor's.
    """

    base: Callable[[], Decoded]
    open_store: Callable[[], Store]
    open_tools: Callable[[Settings], Tools]
    check: Callable[[Function, Tools, Settings, Watch], Report]
    types: Callable[[], str] = lambda: ""
    """What plugins tell of other packages' types, as a text that changes with them; in a worker thread."""


IN_AN_EDITOR: Mapping[str, Any] = {"nice": 5, "fuzzer": "loop"}
"""Other defaults: what the person types comes before what is checked behind their back, and nobody waits for AFL++."""


def real(replay: Path | None = None, record: Path | None = None) -> Engine:
    """mpt itself; nothing heavy is imported before it is needed."""
    models: dict[tuple[str, float, int, int], Arrivals] = {}

    def base() -> Decoded:
        from mpt import settings, wiring

        problems = [f"mpt: {problem}" for problem in found_plugins().problems]
        decoded = settings.read_user(replace(Settings(), **IN_AN_EDITOR), wiring.user_settings_path())
        llm = os.environ.get("MPT_LLM")
        asked = settings.apply(decoded.settings, {"llm": llm} if llm else {}, "MPT_LLM")
        return Decoded(asked.settings, (*decoded.warnings, *asked.warnings, *problems))

    @cache
    def found_plugins() -> Plugins:
        from mpt.adapters import plugins

        return plugins.load()

    def types() -> str:
        from mpt.keys import types_key

        return json.dumps(types_key(found_plugins().types))

    def open_store() -> Store:
        from mpt import wiring

        return wiring.open_store()

    def open_tools(settings: Settings) -> Tools:
        """The same language model for all interpreters and sandboxes."""
        from mpt import wiring

        if replay is not None:
            return wiring.open_tools(settings, replay=replay, record=record)
        named = (settings.llm, settings.llm_deadline_s, settings.concurrent_calls, settings.nice)
        if named not in models:
            models[named] = wiring.open_model(settings)
        return wiring.open_tools(settings, record=record, model=models[named])

    def check(function: Function, tools: Tools, settings: Settings, watch: Watch) -> Report:
        from mpt import pipeline

        return pipeline.check(function, tools, settings, watch)

    return Engine(base, open_store, open_tools, check, types)


class LateStore:
    """`mpt.ports.Store`, opened when it is first used, so that a start costs nothing. Raises StoreError then.

    Once it is closed it holds nothing and keeps nothing: a thread may not have noticed the end yet.
    """

    def __init__(self, open_store: Callable[[], Store]) -> None:
        self._open = open_store
        self._lock = threading.Lock()
        self._store: Store | None = None
        self._closed = False

    @contextmanager
    def _opened(self) -> Iterator[Store | None]:
        with self._lock:
            if self._store is None and not self._closed:
                self._store = self._open()
            yield None if self._closed else self._store

    def get(self, kind: str, key: str) -> str | None:
        with self._opened() as store:
            return store.get(kind, key) if store else None

    def put(self, kind: str, key: str, text: str) -> None:
        with self._opened() as store:
            if store:
                store.put(kind, key, text)

    def add(self, kind: str, key: str, amount: int, ceiling: int) -> bool:
        with self._opened() as store:
            return store.add(kind, key, amount, ceiling) if store else False

    def close(self) -> None:
        with self._lock:
            self._closed = True
            if self._store is not None:
                self._store.close()


_DEFAULTS = Settings()


class Toolbox:
    """Tools, opened once for all settings that differ only in what no tool reads; for any thread."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._lock = threading.Lock()
        self._open: dict[Settings, Tools] = {}
        self._closed = False

    def get(self, settings: Settings) -> Tools:
        """Raises MptError where they cannot be had, or RuntimeError after `close`."""
        with self._lock:
            if self._closed:
                raise RuntimeError("the server is shutting down")
            key = replace(settings, **{name: getattr(_DEFAULTS, name) for name in HARMLESS})
            if key not in self._open:
                self._open[key] = self._engine.open_tools(key)
            return self._open[key]

    def close(self) -> None:
        with self._lock:
            self._closed = True
            for tools in self._open.values():
                tools.close()
            self._open.clear()
