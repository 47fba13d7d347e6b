"""Replies and inputs that are kept, recorded and replayed.

The same wrappers serve the user's cache and a recording: `KeptModel(KeptModel(inner, cache), folder)` answers from
the folder, else from the cache, else by asking, and keeps in both what came.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, dataclass

from mpt.adapters.arrivals import Arrivals, Replies, gather
from mpt.adapters.folder_store import FolderStore
from mpt.adapters.kept_calls import damaged, inputs_text, read_inputs
from mpt.errors import FuzzerError, ModelUnavailable, StoreError
from mpt.keys import inputs_key, request_key
from mpt.ports import Fuzzer, Store, Watch
from mpt.values import Arguments, Campaign, ForeignType, FuzzBudget, Reply, Request


@dataclass(frozen=True, slots=True)
class Recording:
    """What a recording was made with: names that are part of its keys."""

    model: str
    fuzzers: tuple[str, ...]


def describe(folder: FolderStore, recording: Recording) -> None:
    """Writes beside the recorded replies what they were made with."""
    folder.put("meta", "recording", json.dumps(asdict(recording), indent=2) + "\n")


def recording_in(folder: FolderStore) -> Recording:
    """Raises ModelUnavailable where the folder holds no recording."""
    text = folder.get("meta", "recording")
    if text is None:
        raise ModelUnavailable(f"{folder.path} holds no recording: make one with --record {folder.path}")
    try:
        made_with = json.loads(text)
        return Recording(str(made_with["model"]), tuple(map(str, made_with["fuzzers"])))
    except (ValueError, LookupError, TypeError) as error:
        raise StoreError(f"the recording in {folder.path} cannot be read ({error}): record it again") from None


class KeptModel:
    """Asks only for what is not kept yet, and keeps each reply as it arrives."""

    def __init__(self, inner: Arrivals, store: Store) -> None:
        self._inner = inner
        self._store = store

    @property
    def name(self) -> str:
        return self._inner.name

    def complete(self, requests: Sequence[Request], watch: Watch) -> tuple[Reply, ...]:
        return gather(self.arrivals(requests, watch), len(requests), watch)

    def arrivals(self, requests: Sequence[Request], watch: Watch) -> Replies:
        """Kept replies first. Equal requests are asked once: under one key there is one reply."""
        missing: defaultdict[str, list[int]] = defaultdict(list)
        for index, request in enumerate(requests):
            key = request_key(request, self.name)
            text = self._store.get("reply", key)
            if text is None:
                missing[key].append(index)
            else:
                yield index, _reply(text, key)
        if missing:
            yield from self._ask(requests, missing, watch)

    def _ask(self, requests: Sequence[Request], missing: dict[str, list[int]], watch: Watch) -> Replies:
        keys = list(missing)
        asked = [requests[missing[key][0]] for key in keys]
        with closing(self._inner.arrivals(asked, watch)) as replies:
            for position, reply in replies:
                self._store.put("reply", keys[position], _reply_text(asked[position], self.name, reply))
                for index in missing[keys[position]]:
                    yield index, reply

    def close(self) -> None:
        self._inner.close()


class ReplayModel:
    """Answers from a recording alone; starts and asks nothing."""

    def __init__(self, folder: FolderStore) -> None:
        self._folder = folder
        self._name = recording_in(folder).model

    @property
    def name(self) -> str:
        return self._name

    def complete(self, requests: Sequence[Request], watch: Watch) -> tuple[Reply, ...]:
        return gather(self.arrivals(requests, watch), len(requests), watch)

    def arrivals(self, requests: Sequence[Request], watch: Watch) -> Replies:
        for index, request in enumerate(requests):
            watch.check()
            key = request_key(request, self.name)
            text = self._folder.get("reply", key)
            if text is None:
                raise ModelUnavailable(
                    f"no recording for {_shown(request)} in {self._folder.path}: "
                    f"record it with --record {self._folder.path}"
                )
            yield index, _reply(text, key)

    def close(self) -> None:
        """Nothing was started."""


class KeptFuzzer:
    """Fuzzes only where the same target was not fuzzed alike before.

    failures: keep also that the fuzzer broke, as a recording must; a cache must not, for it may be mended.
    types: those that plugins tell of, on which what programs answer depends.
    """

    def __init__(
        self, inner: Fuzzer, store: Store, *, failures: bool = False, types: Sequence[ForeignType] = ()
    ) -> None:
        self._types = types
        self._inner = inner
        self._store = store
        self._failures = failures

    @property
    def name(self) -> str:
        return self._inner.name

    def fuzz(self, campaign: Campaign, budget: FuzzBudget, watch: Watch) -> tuple[Arguments, ...]:
        key = inputs_key(campaign, budget, self.name, self._types)
        text = self._store.get("inputs", key)
        if text is not None:
            return read_inputs(text, "inputs", key)
        try:
            found = self._inner.fuzz(campaign, budget, watch)
        except FuzzerError as error:
            if self._failures:
                self._store.put("inputs", key, json.dumps({"broke": str(error)}) + "\n")
            raise
        self._store.put("inputs", key, inputs_text(found))
        return found


class ReplayFuzzer:
    """One fuzzer's inputs from a recording alone; runs nothing."""

    def __init__(self, folder: FolderStore, name: str, types: Sequence[ForeignType] = ()) -> None:
        self._folder = folder
        self._name = name
        self._types = types

    @property
    def name(self) -> str:
        return self._name

    def fuzz(self, campaign: Campaign, budget: FuzzBudget, watch: Watch) -> tuple[Arguments, ...]:
        """Raises StoreError where this was not recorded, FuzzerError where that the fuzzer broke was."""
        watch.check()
        key = inputs_key(campaign, budget, self.name, self._types)
        text = self._folder.get("inputs", key)
        if text is None:
            raise StoreError(
                f"no recording of {self.name!r} inputs for {campaign.target.entry_point!r} in {self._folder.path}: "
                f"record them with --record {self._folder.path}"
            )
        return read_inputs(text, "inputs", key)


def _reply_text(request: Request, model: str, reply: Reply) -> str:
    """The reply as kept. The request stands beside it for people to read; the key alone decides."""
    tree = {
        "model": model,
        "request": asdict(request),
        "reply": {
            "text": reply.text,
            "prompt_tokens": reply.prompt_tokens,
            "completion_tokens": reply.completion_tokens,
        },
    }
    return json.dumps(tree, indent=2, ensure_ascii=False) + "\n"


def _reply(text: str, key: str) -> Reply:
    try:
        kept = json.loads(text)["reply"]
        return Reply(kept["text"], kept["prompt_tokens"], kept["completion_tokens"], fresh=False)
    except (ValueError, LookupError, TypeError) as error:
        raise damaged("reply", key, error) from None


def _shown(request: Request) -> str:
    """The request's last line, short, and which sample."""
    lines = request.messages[-1].content.strip().splitlines() if request.messages else []
    return f"“{(lines or [''])[0][:60]}” (sample {request.sample})"
