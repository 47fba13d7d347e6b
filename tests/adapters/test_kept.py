"""Keeping, recording and replaying replies and inputs."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest

from fakes import FakeFuzzer, FakeStore, FakeWatch
from mpt.adapters.folder_store import FolderStore
from mpt.adapters.kept import KeptFuzzer, KeptModel, Recording, ReplayFuzzer, ReplayModel, describe, recording_in
from mpt.errors import Cancelled, FuzzerError, ModelUnavailable, StoreError
from mpt.keys import inputs_key, request_key
from mpt.spelling import value_of
from mpt.values import Arguments, Campaign, FuzzBudget, Message, Origin, Program, Reply, Request

TARGET = Program("def f(x): return x", "f", Origin("target"))


def ask(text: str = "hello", sample: int = 0) -> Request:
    return Request((Message("user", text),), temperature=1.0, max_tokens=50, template="t1", sample=sample)


@dataclass
class Numbering:
    """Numbers its replies, the last request first; fails once it gave `fails_after`."""

    fails_after: int = 1000
    name: str = "m"
    asked: list[Request] = field(default_factory=list)
    left: int = 0
    closed: bool = False

    def arrivals(self, requests, watch):
        try:
            for index, request in reversed(list(enumerate(requests))):
                if len(self.asked) == self.fails_after:
                    raise ModelUnavailable("gone")
                self.asked.append(request)
                yield index, Reply(f"reply {len(self.asked)} «é»", 5, 6)
        finally:
            self.left += 1

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def store():
    return FakeStore()


def texts(replies) -> list[str]:
    return [reply.text for reply in replies]


def test_asks_once_and_keeps(store):
    inner = Numbering()
    first = KeptModel(inner, store).complete([ask("a"), ask("b")], FakeWatch())
    again = KeptModel(inner, store).complete([ask("b"), ask("a")], FakeWatch())
    assert texts(first) == ["reply 2 «é»", "reply 1 «é»"]
    assert texts(again) == ["reply 1 «é»", "reply 2 «é»"]
    assert [reply.fresh for reply in (*first, *again)] == [True, True, False, False]
    assert (again[0].prompt_tokens, again[0].completion_tokens) == (5, 6)
    assert len(inner.asked) == 2


def test_asks_only_for_what_is_missing(store):
    inner = Numbering()
    model = KeptModel(inner, store)
    model.complete([ask("a")], FakeWatch())
    watch = FakeWatch()
    replies = model.complete([ask("b"), ask("a"), ask("c")], watch)
    assert texts(replies) == ["reply 3 «é»", "reply 1 «é»", "reply 2 «é»"]
    assert watch.steps == 3


def test_five_samples_are_five_recordings(store):
    inner = Numbering()
    KeptModel(inner, store).complete([ask(sample=n) for n in range(5)], FakeWatch())
    assert len(inner.asked) == len(store.kept) == 5


def test_equal_requests_of_one_batch_get_the_one_reply_that_is_kept(store):
    inner = Numbering()
    first = KeptModel(inner, store).complete([ask("a"), ask("a"), ask("b")], FakeWatch())
    again = KeptModel(inner, store).complete([ask("a"), ask("a"), ask("b")], FakeWatch())
    assert texts(first) == texts(again)
    assert first[0] == first[1]
    assert len(inner.asked) == 2


def test_what_came_before_a_failure_is_kept(store):
    with pytest.raises(ModelUnavailable, match="gone"):
        KeptModel(Numbering(fails_after=2), store).complete([ask(str(n)) for n in range(4)], FakeWatch())
    inner = Numbering()
    KeptModel(inner, store).complete([ask(str(n)) for n in range(4)], FakeWatch())
    assert [request.messages[0].content for request in inner.asked] == ["1", "0"]


def test_what_came_before_a_cancel_is_kept_and_the_rest_is_abandoned(store):
    inner = Numbering()
    with pytest.raises(Cancelled):
        KeptModel(inner, store).complete([ask(str(n)) for n in range(4)], FakeWatch(cancel_at=2))
    assert len(inner.asked) == len(store.kept) == 2
    assert inner.left == 1


def test_closing_closes_what_stands_behind(store):
    inner = Numbering()
    KeptModel(inner, store).close()
    assert inner.closed


def test_a_damaged_reply_says_how_to_forget_it(store):
    key = request_key(ask(), "m")
    for text in ("", "{", "[]", '{"reply": 3}', '{"reply": {"text": "x"}}'):
        store.put("reply", key, text)
        with pytest.raises(StoreError, match=f"the kept reply {key[:12]}… cannot be read .*mpt cache clear reply"):
            KeptModel(Numbering(), store).complete([ask()], FakeWatch())


# --- recordings -----------------------------------------------------------------------------------


def test_a_recording_is_replayed_without_a_model_and_to_the_byte(store, tmp_path):
    folder = FolderStore(tmp_path / "recording")
    describe(folder, Recording("m", ("afl", "loop")))
    requests = [ask("Wörter"), *(ask(sample=n) for n in range(5))]
    recorded = KeptModel(KeptModel(Numbering(), store), folder).complete(requests, FakeWatch())
    model = ReplayModel(FolderStore(tmp_path / "recording"))
    watch = FakeWatch()
    assert model.name == "m"
    assert model.complete(requests, watch) == tuple(replace(reply, fresh=False) for reply in recorded)
    assert watch.steps == 6
    assert len(list((tmp_path / "recording" / "reply").iterdir())) == 6


def test_recording_what_the_cache_holds_asks_nothing(store, tmp_path):
    KeptModel(Numbering(), store).complete([ask()], FakeWatch())
    inner = Numbering()
    folder = FolderStore(tmp_path)
    [reply] = KeptModel(KeptModel(inner, store), folder).complete([ask()], FakeWatch())
    assert (inner.asked, reply.fresh) == ([], False)
    assert folder.get("reply", request_key(ask(), "m")) is not None


def test_two_recordings_of_the_same_are_the_same_bytes(tmp_path):
    for name in ("one", "two"):
        KeptModel(Numbering(), FolderStore(tmp_path / name)).complete([ask("a"), ask("b")], FakeWatch())
    one, two = (
        {path.name: path.read_bytes() for path in (tmp_path / name / "reply").iterdir()} for name in ("one", "two")
    )
    assert one == two
    assert len(one) == 2


def test_what_was_not_recorded_is_named(tmp_path):
    describe(FolderStore(tmp_path), Recording("m", ()))
    with pytest.raises(ModelUnavailable) as caught:
        ReplayModel(FolderStore(tmp_path)).complete([ask("Can you?\nmore", sample=2)], FakeWatch())
    assert str(caught.value) == (
        f"no recording for “Can you?” (sample 2) in {tmp_path}: record it with --record {tmp_path}"
    )


def test_a_folder_without_a_recording_says_so(tmp_path):
    with pytest.raises(ModelUnavailable, match="holds no recording: make one with --record"):
        recording_in(FolderStore(tmp_path / "none"))


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"model": "m", "fuzzers": 3}'])
def test_a_damaged_recording_says_so(tmp_path, text):
    FolderStore(tmp_path).put("meta", "recording", text)
    with pytest.raises(StoreError, match=r"cannot be read .*record it again"):
        recording_in(FolderStore(tmp_path))


# --- inputs ---------------------------------------------------------------------------------------

FOUND = (
    Arguments((value_of([1, 2.5, float("nan")]), value_of("\ud800é")), (), "fuzzed", "afl"),
    Arguments((value_of({1: {2, 3}, "a": (None, -0.0)}),), (("key", value_of(10**5000)),), "seed", ""),
    Arguments((), (), "fuzzed", "loop"),
)


CAMPAIGN = Campaign(TARGET, ())


def fuzz(fuzzer, seed: int = 0):
    return fuzzer.fuzz(CAMPAIGN, FuzzBudget(seed=seed), FakeWatch())


class BrokenFuzzer(FakeFuzzer):
    def fuzz(self, *_):
        raise FuzzerError("it broke")


def test_inputs_are_kept_with_where_they_came_from(store):
    first = fuzz(KeptFuzzer(FakeFuzzer(FOUND), store))
    again = fuzz(KeptFuzzer(BrokenFuzzer(), store))
    assert first == again == FOUND
    assert [(call.origin, call.engine) for call in again] == [(call.origin, call.engine) for call in FOUND]
    assert fuzz(KeptFuzzer(FakeFuzzer(), store), seed=1) == ()


def test_no_inputs_are_kept_too(store):
    fuzz(KeptFuzzer(FakeFuzzer(), store))
    assert fuzz(KeptFuzzer(BrokenFuzzer(), store)) == ()


def test_recorded_inputs_are_replayed(tmp_path):
    fuzz(KeptFuzzer(FakeFuzzer(FOUND), FolderStore(tmp_path)))
    assert fuzz(ReplayFuzzer(FolderStore(tmp_path), "fake")) == FOUND


def test_a_recorded_failure_is_replayed_too(tmp_path):
    with pytest.raises(FuzzerError, match="it broke"):
        fuzz(KeptFuzzer(BrokenFuzzer(), FolderStore(tmp_path), failures=True))
    with pytest.raises(FuzzerError, match="it broke"):
        fuzz(ReplayFuzzer(FolderStore(tmp_path), "fake"))


def test_a_failure_is_not_cached(store):
    with pytest.raises(FuzzerError):
        fuzz(KeptFuzzer(BrokenFuzzer(), store))
    assert fuzz(KeptFuzzer(FakeFuzzer(FOUND), store)) == FOUND


def test_inputs_that_were_not_recorded_are_an_error_not_an_empty_answer(tmp_path):
    with pytest.raises(StoreError, match=r"no recording of 'afl' inputs for 'f' in .*: record them with --record"):
        fuzz(ReplayFuzzer(FolderStore(tmp_path), "afl"))


@pytest.mark.parametrize("text", ["", "3", "{}", "[3]", '[{"positional": 1}]'])
def test_damaged_inputs_say_how_to_forget_them(store, text):
    store.put("inputs", inputs_key(CAMPAIGN, FuzzBudget(), "fake"), text)
    with pytest.raises(StoreError, match=r"the kept inputs .* cannot be read"):
        fuzz(KeptFuzzer(FakeFuzzer(), store))
