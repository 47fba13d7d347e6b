"""The one language model adapter, against a real HTTP server on loopback."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from chat_server import Answer, Asked, ChatServer, completion, refusal
from fakes import FakeWatch
from mpt.adapters.openai_model import OpenAIModel
from mpt.errors import Cancelled, ModelError, ModelRefused, ModelUnavailable, SettingsError
from mpt.values import Message, Reply, Request

KEY = "sk-very-secret-0123456789"


def ask(text: str = "hello", **changes: object) -> Request:
    return Request((Message("user", text),), temperature=0.2, max_tokens=50, template="t1", **changes)


def model_at(url: str, key: str | None = KEY, deadline_s: float = 100.0, concurrency: int = 4) -> OpenAIModel:
    return OpenAIModel("m", url, key, deadline_s, concurrency)


def last_message(asked: Asked) -> str:
    return asked.body["messages"][-1]["content"]


def complete_against(answer: Callable[[Asked], Answer], *requests: Request) -> tuple[tuple[Reply, ...], ChatServer]:
    with ChatServer(answer).serving() as server:
        return model_at(server.url).complete(requests, FakeWatch()), server


def error_against(answer: Callable[[Asked], Answer], *requests: Request) -> tuple[ModelError, ChatServer]:
    with ChatServer(answer).serving() as server, pytest.raises(ModelError) as caught:
        model_at(server.url).complete(requests or (ask(),), FakeWatch())
    assert KEY not in str(caught.value)
    assert "\n" not in str(caught.value)
    return caught.value, server


def test_one_choice_a_request_replies_in_the_order_of_requests():
    requests = [ask(f"question {n}") for n in range(7)]
    replies, server = complete_against(lambda asked: completion(last_message(asked) + "!"), *requests)
    assert replies == tuple(Reply(f"question {n}!", 7, 3) for n in range(7))
    assert len(server.asked) == 7
    assert all("n" not in asked.body for asked in server.asked)
    assert server.most_at_once <= 4


def test_batches_in_several_threads_share_the_limit():
    requests = [[ask(f"{batch} {n}") for n in range(6)] for batch in range(3)]
    with ChatServer(lambda asked: completion(last_message(asked))).serving() as server:
        model = model_at(server.url, concurrency=2)
        with ThreadPoolExecutor() as threads:
            batches = list(threads.map(lambda batch: model.complete(batch, FakeWatch()), requests))
    assert [[reply.text for reply in batch] for batch in batches] == [
        [one.messages[0].content for one in batch] for batch in requests
    ]
    assert server.most_at_once <= 2


def test_sends_what_was_asked_and_the_key():
    _, server = complete_against(lambda _: completion("x"), ask(stop=("```",)))
    [asked] = server.asked
    assert asked.path == "/v1/chat/completions"
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.body == {
        "model": "m",
        "messages": [{"role": "user", "content": "hello"}],
        "max_tokens": 50,
        "temperature": 0.2,
        "stop": ["```"],
    }


def test_takes_nothing_from_the_environment(monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_BASE_URL"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/from-environment")
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with ChatServer(lambda _: completion("x")).serving() as server:
        model_at(server.url, key=None).complete([ask()], FakeWatch())
    [asked] = server.asked
    assert not any("from-environment" in value for value in asked.headers.values())


@pytest.mark.parametrize("url", ["", "m", "ftp://host/v1", "http://", "http://host:port/v1", "http://[::1/v1"])
def test_what_is_no_base_url_is_a_setting_to_mend(url):
    with pytest.raises(SettingsError, match="base URL is not of the form"):
        model_at(url)


@pytest.mark.parametrize("key", ["sk-é", "sk-a b", "sk-a\nb"])
def test_what_is_no_key_is_a_setting_to_mend_and_not_shown(key):
    with pytest.raises(SettingsError) as caught:
        model_at("https://example.org/v1", key)
    assert str(caught.value) == "the key for https://example.org/v1 holds characters that no key has: set MPT_API_KEY"


def test_white_space_around_a_key_is_none_of_it():
    with ChatServer(lambda _: completion("x")).serving() as server:
        model_at(server.url, key=f" {KEY}\n").complete([ask()], FakeWatch())
    assert server.asked[0].headers["authorization"] == f"Bearer {KEY}"


def test_progress_is_one_step_a_reply():
    watch = FakeWatch()
    with ChatServer(lambda _: completion("x")).serving() as server:
        model_at(server.url).complete([ask(), ask()], watch)
    assert watch.steps == 2


def test_prose_is_a_reply_like_any_other():
    replies, _ = complete_against(lambda _: completion("I would rather talk about the weather."), ask())
    assert replies[0].text == "I would rather talk about the weather."


def test_a_choice_without_content_is_an_empty_reply():
    replies, _ = complete_against(lambda _: completion(None), ask())
    assert replies[0].text == ""


def test_lone_surrogates_leave_and_arrive_as_question_marks():
    body = completion("PLACE").body
    body["choices"][0]["message"]["content"] = "a\ud800b"
    replies, server = complete_against(lambda _: Answer(body), ask("c\udc00d"))
    assert replies[0].text == "a?b"
    assert last_message(server.asked[0]) == "c?d"


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key_is_said_once_and_never_retried(status):
    error, server = error_against(lambda _: refusal(status, f"Incorrect API key provided: {KEY}"))
    assert isinstance(error, ModelRefused)
    assert str(error) == f"the key for {server.url} was refused ({status}): set MPT_API_KEY"
    assert len(server.asked) == 1


def test_a_missing_key_is_told_apart_from_a_refused_one():
    with ChatServer(lambda _: refusal(401, "no key")).serving() as server, pytest.raises(ModelRefused) as caught:
        model_at(server.url, key=None).complete([ask()], FakeWatch())
    assert str(caught.value) == f"{server.url} wants a key (401): set MPT_API_KEY"


def test_a_refusal_stops_what_was_not_sent_yet():
    _, server = error_against(lambda _: refusal(401, "no"), *(ask(str(n)) for n in range(40)))
    assert len(server.asked) <= 4


def test_a_bad_request_is_not_retried_and_quoted_on_one_line_without_the_key():
    error, server = error_against(lambda _: refusal(400, f"too\nlong \x1b[31m{KEY}"))
    assert isinstance(error, ModelRefused)
    assert str(error) == f"{server.url} refused model 'm' (400): too long  [31m…"
    assert len(server.asked) == 1


def test_an_unknown_model_is_refused():
    error, _ = error_against(lambda _: refusal(404, "The model 'm' does not exist"))
    assert isinstance(error, ModelRefused)
    assert "(404): The model 'm' does not exist" in str(error)


def test_unreachable_names_the_url_without_what_is_secret_in_it():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        model = model_at(f"http://user:{KEY}@127.0.0.1:{port}/v1?token={KEY}")
        with pytest.raises(ModelUnavailable) as caught:
            model.complete([ask()], FakeWatch())
    assert f"http://127.0.0.1:{port}/v1 cannot be reached" in str(caught.value)
    assert KEY not in str(caught.value)


def test_429_with_retry_after_is_waited_for():
    answers = [refusal(429, "slow down", {"retry-after-ms": "30"}), completion("at last")]
    replies, server = complete_against(lambda _: answers.pop(0), ask())
    assert replies[0].text == "at last"
    assert len(server.asked) == 2


def test_a_server_that_keeps_failing_is_asked_three_times():
    error, server = error_against(lambda _: refusal(500, "out of order", {"retry-after-ms": "10"}))
    assert isinstance(error, ModelUnavailable)
    assert "failed 3 times (500): out of order" in str(error)
    assert len(server.asked) == 3


def picky(asked: Asked) -> Answer:
    """As a reasoning model: other names, no sampling."""
    if "max_tokens" in asked.body:
        return refusal(
            400,
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens'.",
            param="max_tokens",
            code="unsupported_parameter",
        )
    for name in ("temperature", "stop"):
        if name in asked.body:
            return refusal(400, f"Unsupported value: '{name}' does not support 0.2 with this model.", param=name)
    return completion("fine")


def test_adapts_to_what_a_model_refuses_and_remembers():
    with ChatServer(picky).serving() as server:
        model = model_at(server.url, concurrency=1)
        assert model.complete([ask(stop=("#",))], FakeWatch())[0].text == "fine"
        assert len(server.asked) == 4
        assert server.asked[-1].body.keys() == {"model", "messages", "max_completion_tokens"}
        assert model.complete([ask(stop=("#",)), ask()], FakeWatch())[1].text == "fine"
        assert len(server.asked) == 6


def test_adapts_when_all_of_a_batch_are_refused_at_once():
    replies, _ = complete_against(picky, *(ask(str(n)) for n in range(6)))
    assert [reply.text for reply in replies] == ["fine"] * 6


def test_a_limit_that_is_too_large_is_no_reason_to_rename_it():
    error, server = error_against(lambda _: refusal(400, "max_tokens is too large: 50", param="max_tokens"))
    assert "max_tokens is too large" in str(error)
    assert len(server.asked) == 1


def test_a_model_that_refuses_every_spelling_is_given_up():
    error, server = error_against(lambda _: refusal(400, "'max_tokens' and 'temperature' are unsupported"))
    assert isinstance(error, ModelRefused)
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    "answer",
    [
        Answer('{"choices": [', 200),
        Answer("<html>welcome</html>", 200, {"Content-Type": "text/html"}),
        Answer({"choices": []}),
        Answer({"choices": None}),
        Answer({"choices": "none"}),
        Answer({"choices": [{"message": {"content": [1]}}]}),
        Answer({"error": {"message": "overloaded"}}),
        Answer([1, 2]),
        Answer("null"),
    ],
    ids=lambda answer: str(answer.body)[:30],
)
def test_what_is_no_chat_completion_is_one_clear_line(answer):
    error, server = error_against(lambda _: answer)
    assert isinstance(error, ModelUnavailable)
    assert f"{server.url} answered something that is no chat completion" in str(error)


def test_replies_that_came_are_handed_on_before_the_failure():
    def answer(asked: Asked) -> Answer:
        return refusal(400, "no") if last_message(asked) == "bad" else completion(last_message(asked))

    with ChatServer(answer).serving() as server:
        watch = FakeWatch()
        with pytest.raises(ModelRefused):
            model_at(server.url).complete([ask("a"), ask("bad"), ask("b")], watch)
    assert watch.steps == 2


def test_the_wall_clock_ends_a_batch_and_says_how_much_came():
    never = threading.Event()

    def answer(asked: Asked) -> Answer:
        slow = last_message(asked) == "slow"
        return Answer(completion("x").body, until=never if slow else None)

    with ChatServer(answer).serving() as server:
        with pytest.raises(ModelUnavailable) as caught:
            model_at(server.url, deadline_s=0.5).complete([ask("fast"), ask("slow")], FakeWatch())
        never.set()
    said = rf"{server.url} gave [01] of 2 replies within 0.5 s: .* raise llm_deadline_s"
    assert re.fullmatch(said, str(caught.value))


def test_cancel_abandons_what_is_in_flight():
    never = threading.Event()
    with ChatServer(lambda _: Answer(completion("x").body, until=never)).serving() as server:
        with pytest.raises(Cancelled):
            model_at(server.url).complete([ask()], FakeWatch(cancel_at=4))
        never.set()
    assert len(server.asked) <= 1


def test_a_cancelled_check_sends_nothing():
    with ChatServer(lambda _: completion("x")).serving() as server, pytest.raises(Cancelled):
        model_at(server.url).complete([ask()], FakeWatch(cancel_at=1))
    assert server.asked == []


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_ctrl_c_ends_a_process_that_waits_for_replies():
    asked, never = threading.Event(), threading.Event()

    def answer(_: Asked) -> Answer:
        asked.set()
        return Answer(completion("x").body, until=never)

    program = """
        import sys
        from mpt.adapters.openai_model import OpenAIModel
        from mpt.values import Message, Request
        class Watch:
            def phase(self, name, total): ...
            def advance(self, steps=1): ...
            def check(self): ...
        request = Request((Message("user", "x"),), 0.0, 5, "t")
        try:
            OpenAIModel("m", sys.argv[1], None, 60, 4).complete([request] * 3, Watch())
        except KeyboardInterrupt:
            print("interrupted")
    """
    with ChatServer(answer).serving() as server:
        child = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(program), server.url], stdout=subprocess.PIPE, text=True
        )
        try:
            assert asked.wait(60)
            os.kill(child.pid, signal.SIGINT)
            assert child.communicate(timeout=60)[0] == "interrupted\n"
        finally:
            child.kill()
            child.wait()
            never.set()
