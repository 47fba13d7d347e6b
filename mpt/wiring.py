"""The only place that names adapters: settings → the tools of a check."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from mpt.adapters import plugins
from mpt.adapters.afl_fuzzer import AflFuzzer, afl_missing
from mpt.adapters.arrivals import Arrivals
from mpt.adapters.budget import BudgetedModel
from mpt.adapters.corpus import ResumingFuzzer
from mpt.adapters.embedded_download import models_folder
from mpt.adapters.embedded_model import EmbeddedModel
from mpt.adapters.folder_store import FolderStore
from mpt.adapters.kept import KeptFuzzer, KeptModel, Recording, ReplayFuzzer, ReplayModel, describe, recording_in
from mpt.adapters.loop_fuzzer import LoopFuzzer
from mpt.adapters.openai_model import OpenAIModel
from mpt.adapters.sandbox import WalledSandbox, open_sandbox
from mpt.adapters.sqlite_store import SqliteStore
from mpt.errors import SettingsError, UsageError
from mpt.ports import Fuzzer, LanguageModel, Store, Tools
from mpt.settings import Settings
from mpt.values import ForeignType

OPENAI_URL = "https://api.openai.com/v1"


def user_settings_path() -> Path:
    """The person's own settings file; it need not exist."""
    return platformdirs.user_config_path("mpt") / "settings.toml"


def cache_folder() -> Path:
    """Where replies, inputs, verdicts and the embedded model are kept."""
    return platformdirs.user_cache_path("mpt")


def open_store() -> SqliteStore:
    return SqliteStore(cache_folder() / "store.sqlite3")


@dataclass(frozen=True, slots=True)
class RemoteModel:
    """A model behind somebody's OpenAI protocol."""

    name: str
    base_url: str


def remote_model(llm: str) -> RemoteModel | None:
    """What the setting `llm` names; None: the embedded model. Raises SettingsError."""
    if llm == "embedded":
        return None
    name, at, url = llm.rpartition("@http")
    if not at:
        name, url = llm, OPENAI_URL
    else:
        url = "http" + url
    if not name or not url.startswith(("http://", "https://")) or "@" in url or "@" in name or "://" in name:
        raise SettingsError(f"'llm' is \"embedded\", MODEL@BASE_URL (http…) or MODEL, not {llm!r}")
    return RemoteModel(name, url)


def api_key(base_url: str) -> str | None:
    """MPT_API_KEY; OPENAI_API_KEY goes to OpenAI's own service alone."""
    return os.environ.get("MPT_API_KEY") or (os.environ.get("OPENAI_API_KEY") if base_url == OPENAI_URL else None)


def open_model(settings: Settings) -> Arrivals:
    """The language model the person chose. Nothing is started or sent before the first request."""
    remote = remote_model(settings.llm)
    if remote is None:
        return EmbeddedModel(models_folder(), settings.llm_deadline_s, nice=settings.nice)
    return OpenAIModel(
        remote.name,
        remote.base_url,
        api_key(remote.base_url),
        settings.llm_deadline_s,
        concurrency=settings.concurrent_calls,
    )


def open_fuzzers(settings: Settings, sandbox: WalledSandbox, types: tuple[ForeignType, ...] = ()) -> tuple[Fuzzer, ...]:
    """The engines in the order to try them: the fast one first. Raises FuzzerError for "afl" where it cannot be had."""
    loop = LoopFuzzer(sandbox)
    if settings.fuzzer == "loop" or (settings.fuzzer == "auto" and afl_missing(interpreter(settings))):
        return (loop,)
    afl = AflFuzzer(sandbox, interpreter(settings), types)
    return (afl,) if settings.fuzzer == "afl" else (loop, afl)


def open_wall(settings: Settings, types: Sequence[ForeignType] = ()) -> WalledSandbox:
    """The sandbox alone; types: those that plugins tell of. Raises NoWall, InterpreterError."""
    return open_sandbox(settings.sandbox, interpreter(settings), nice=settings.nice, types=types)


def interpreter(settings: Settings) -> Path:
    """The Python that runs the programs."""
    return Path(settings.python or sys.executable)


def open_tools(
    settings: Settings, *, record: Path | None = None, replay: Path | None = None, model: Arrivals | None = None
) -> Tools:
    """Everything a check needs. With `replay` no model, no fuzzer and no cache is touched; programs still run.

    model: one that other tools use, too; closing any of these closes it, and it can still be asked.
    Raises SettingsError, NoWall, InterpreterError, StoreError, FuzzerError, ModelUnavailable (an empty recording).
    """
    if record is not None and replay is not None:
        raise UsageError("--record and --replay cannot be used together")
    found = plugins.load()
    sandbox = open_wall(settings, found.types)
    try:
        if replay is not None:
            return _replaying(replay, sandbox, found)
        return _asking(settings, sandbox, record, model or open_model(settings), found)
    except BaseException:
        sandbox.close()
        raise


def _replaying(folder: Path, sandbox: WalledSandbox, found: plugins.Plugins) -> Tools:
    recorded = FolderStore(folder)
    model = ReplayModel(recorded)
    fuzzers = tuple(ReplayFuzzer(recorded, name, found.types) for name in recording_in(recorded).fuzzers)
    closing = (recorded.close, sandbox.close)
    return Tools(lambda: model, sandbox, fuzzers, recorded, time.monotonic, closing, found.types, found.problems)


def _asking(
    settings: Settings, sandbox: WalledSandbox, record: Path | None, model: Arrivals, found: plugins.Plugins
) -> Tools:
    store = open_store()
    stores: list[Store] = [store]
    fuzzers = open_fuzzers(settings, sandbox, found.types)
    if record is not None:
        folder = FolderStore(record)
        describe(folder, Recording(model.name, tuple(fuzzer.name for fuzzer in fuzzers)))
        stores.append(folder)
    kept_fuzzers = tuple(_keep_inputs(fuzzer, stores, found.types) for fuzzer in fuzzers)
    closing: tuple[Callable[[], None], ...] = (store.close, sandbox.close, model.close)
    return Tools(
        lambda: _one_check(model, settings, stores),
        sandbox,
        kept_fuzzers,
        store,
        time.monotonic,
        closing,
        found.types,
        found.problems,
    )


def _one_check(model: Arrivals, settings: Settings, stores: list[Store]) -> LanguageModel:
    """One check's way to the model: its own count of calls, behind what is kept already."""
    asked: KeptModel | BudgetedModel = BudgetedModel(
        model, stores[0], settings.max_calls_per_check, settings.max_calls_per_day
    )
    for store in stores:
        asked = KeptModel(asked, store)
    return asked


def _keep_inputs(engine: Fuzzer, stores: list[Store], types: Sequence[ForeignType]) -> Fuzzer:
    """A recording also holds that a fuzzer broke, so that its replay goes the same way."""
    fuzzer: Fuzzer = ResumingFuzzer(engine, stores[0])
    for store in stores:
        fuzzer = KeptFuzzer(fuzzer, store, failures=store is not stores[0], types=types)
    return fuzzer
