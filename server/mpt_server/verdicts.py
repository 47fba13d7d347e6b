"""What is known of functions, kept across restarts: reports under the fingerprint of everything they depend on.

A report belongs to a function's text, not to a version of a document: whoever asks for the fingerprint of a text that
was edited meanwhile finds nothing, and whoever undoes the edit finds it again.
"""

from __future__ import annotations

import json
import logging
import threading
from collections import OrderedDict
from dataclasses import asdict, replace
from functools import cached_property
from typing import TYPE_CHECKING

from mpt import __version__
from mpt.errors import StoreError
from mpt.ports import Store
from mpt.settings import Settings
from mpt.values import Function, Outcome, Report
from mpt_server.digests import digest

if TYPE_CHECKING:
    from cattrs import Converter

logger = logging.getLogger(__name__)

KIND, ACCEPTED = "report", "accepted"
MOST_IN_MEMORY = 500
MOST_KEPT = 1 << 20
"""Characters of one kept report; a larger one is kept without its evidence."""

_NOT_JUDGING = (
    "select",
    "ignore",
    "max_calls_per_check",
    "max_calls_per_day",
    "concurrent_calls",
    "llm_deadline_s",
    "nice",
)


def fingerprint(function: Function, settings: Settings, types: str = "") -> str:
    """Of the function's text, what it is run with, and the settings that could change the verdict.

    types: what plugins tell of other packages' types.
    """
    judging = {name: value for name, value in asdict(settings).items() if name not in _NOT_JUDGING}
    parts = [__version__, function.prompt.text, function.source, function.context, function.obstacle, judging, types]
    return digest(json.dumps(parts, sort_keys=True))


def is_accepted(store: Store, function: Function) -> bool:
    """Whether the person has said that this very text is as it should be."""
    try:
        return store.get(ACCEPTED, _text(function)) is not None
    except StoreError:
        return False


def accept(store: Store, function: Function) -> None:
    """Raises StoreError."""
    store.put(ACCEPTED, _text(function), "")


def _text(function: Function) -> str:
    return digest(json.dumps([function.prompt.text, function.source]))


class Reports:
    """Reports by fingerprint, the latest in memory, those that tell something in the store. For any thread."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._recent: OrderedDict[str, Report] = OrderedDict()
        self._lock = threading.Lock()

    @cached_property
    def _converter(self) -> Converter:
        from cattrs import Converter  # here: a start does without
        from cattrs.strategies import configure_tagged_union

        converter = Converter()
        configure_tagged_union(Outcome, converter)
        return converter

    def get(self, key: str, function: Function) -> Report | None:
        """The report, as one on `function`: the same text, maybe elsewhere."""
        known = self.recent(key, function)
        if known is None and (report := self._read(key)):
            self._remember(key, report)
            known = replace(report, function=function)
        return known

    def recent(self, key: str, function: Function) -> Report | None:
        """The same, from memory alone: fit for the event loop."""
        with self._lock:
            report = self._recent.get(key)
        return report and replace(report, function=function)

    def put(self, key: str, report: Report) -> None:
        """Keeps it; INCONCLUSIVE only until the end of the session, since the reason may be gone the next time.

        Raises StoreError.
        """
        self._remember(key, report)
        if report.verdict.status != "INCONCLUSIVE":
            self._store.put(KIND, key, self._dumps(report))

    def _remember(self, key: str, report: Report) -> None:
        with self._lock:
            self._recent[key] = report
            self._recent.move_to_end(key)
            while len(self._recent) > MOST_IN_MEMORY:
                self._recent.popitem(last=False)

    def _read(self, key: str) -> Report | None:
        try:
            text = self._store.get(KIND, key)
            return self._converter.structure(json.loads(text), Report) if text else None
        except StoreError as error:
            logger.warning("%s", error)
        except Exception as error:  # whatever cattrs raises on a text that an older version wrote
            logger.info("a kept report cannot be read: %r", error)
        return None

    def _dumps(self, report: Report) -> str:
        text = json.dumps(self._converter.unstructure(report, Report))
        if len(text) > MOST_KEPT:
            text = json.dumps(self._converter.unstructure(replace(report, evidence=None), Report))
        return text
