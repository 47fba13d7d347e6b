"""Every language model, remote or embedded, through the OpenAI protocol (chat completions).

One choice a request (`n` above 1 is refused by some servers and ignored by others). One layer retries, the SDK's;
above it stands a wall clock of ours. The key is sent to the base URL and to nothing else; no message holds it.
"""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from mpt.adapters.arrivals import Replies, gather
from mpt.errors import ModelError, ModelRefused, ModelUnavailable, SettingsError
from mpt.ports import Watch
from mpt.values import Reply, Request

if TYPE_CHECKING:
    import openai
    from openai.types.chat import ChatCompletion

_POLL_S = 0.2
"""How often a waiting batch asks whether the person said stop."""

_SLOT_POLL_S = 0.02

_CONNECT_S = 10.0

_RETRIES = 2

_ADAPTABLE = ("max_tokens", "temperature", "stop")
"""What some models refuse: `max_tokens` is then called `max_completion_tokens`, the others are left out."""

_NO_COMPLETION = (ValueError, TypeError, LookupError, AttributeError)
"""What reading an answer raises that is not shaped like a chat completion."""

_LOOPBACK = ("127.0.0.1", "localhost", "::1")

_UNSUPPORTED = ("support", "unrecognized", "unknown", "unexpected", "not permitted", "not allowed", "deprecated")


class OpenAIModel:
    """A model behind a base URL. Not for use inside a running event loop: it blocks, and runs one of its own."""

    def __init__(self, name: str, base_url: str, key: str | None, deadline_s: float, concurrency: int) -> None:
        """deadline_s: wall clock for one batch, retries included. concurrency: requests in flight, of all batches.

        Raises SettingsError for a base URL or a key that cannot be one.
        """
        self._name = name
        self._base_url = base_url
        self._host, self._where = _host_and_shown(base_url)
        self._key = _sendable(key, self._where)
        self._deadline_s = deadline_s
        self._slots = threading.Semaphore(concurrency)
        self._refused: set[str] = set()

    @property
    def name(self) -> str:
        return self._name

    def complete(self, requests: Sequence[Request], watch: Watch) -> tuple[Reply, ...]:
        return gather(self.arrivals(requests, watch), len(requests), watch)

    def arrivals(self, requests: Sequence[Request], watch: Watch) -> Replies:
        """After the first failure nothing new is sent; what is in flight is awaited and handed on."""
        watch.check()
        with asyncio.Runner() as runner:
            client = self._client()
            batch = _Batch(partial(self._ask, client), self._slots)
            deadline = time.monotonic() + self._deadline_s
            runner.run(batch.start(requests))
            try:
                while batch.waiting:
                    watch.check()
                    if time.monotonic() > deadline:
                        raise self._too_late(len(requests) - len(batch.waiting), len(requests))
                    yield from runner.run(batch.next())
            finally:
                runner.run(batch.abandon())
                runner.run(client.close())
        if batch.failure:
            raise batch.failure

    def close(self) -> None:
        """Nothing outlives a batch."""

    def _client(self) -> openai.AsyncOpenAI:
        """Nothing is taken from OPENAI_* variables, and a loopback server is never asked through a proxy."""
        import openai

        client = openai.AsyncOpenAI(
            api_key=self._key or "none",
            base_url=self._base_url,
            timeout=openai.Timeout(self._deadline_s, connect=min(_CONNECT_S, self._deadline_s)),
            max_retries=_RETRIES,
            http_client=openai.DefaultAsyncHttpxClient(trust_env=self._host not in _LOOPBACK),
        )
        client.organization = client.project = None
        return client

    async def _ask(self, client: openai.AsyncOpenAI, request: Request) -> Reply:
        """One reply. Raises ModelError."""
        import openai

        for _ in range(len(_ADAPTABLE) + 1):
            asked = self._parameters(request)
            try:
                return _reply(await client.chat.completions.create(**asked))
            except openai.BadRequestError as error:
                if not self._adapt(asked, error):
                    raise self._explained(error) from None
            except (openai.OpenAIError, *_NO_COMPLETION) as error:
                raise self._explained(error) from None
        raise ModelRefused(f"{self._where} refuses every spelling of the request (400)")

    def _parameters(self, request: Request) -> dict[str, Any]:
        limit = "max_completion_tokens" if "max_tokens" in self._refused else "max_tokens"
        asked: dict[str, Any] = {
            "model": self._name,
            "messages": [
                {"role": message.role, "content": _encodable(message.content)} for message in request.messages
            ],
            limit: request.max_tokens,
            "temperature": request.temperature,
        }
        if request.stop:
            asked["stop"] = list(request.stop)
        return {key: value for key, value in asked.items() if key not in self._refused}

    def _adapt(self, asked: dict[str, Any], error: openai.BadRequestError) -> bool:
        """Whether the refusal names parameters that can be done without; they are not sent again."""
        said = _said(error).lower()
        if not any(word in said for word in _UNSUPPORTED):
            return False
        named = {
            name for name in _ADAPTABLE if name in asked and (name == error.param or re.search(rf"\b{name}\b", said))
        }
        self._refused |= named
        return bool(named)

    def _explained(self, error: Exception) -> ModelError:
        import openai

        match error:
            case openai.APIStatusError(status_code=401 | 403 as status):
                return ModelRefused(self._about_key(status))
            case openai.APIStatusError(status_code=status) if status < 500 and status not in (408, 429):
                return ModelRefused(f"{self._where} refused model {self._name!r} ({status}): {self._quoted(error)}")
            case openai.APIStatusError(status_code=status):
                return ModelUnavailable(f"{self._where} failed {_RETRIES + 1} times ({status}): {self._quoted(error)}")
            case openai.APITimeoutError():
                return ModelUnavailable(f"{self._where} did not answer: is the server busy, or the URL another's?")
            case openai.APIConnectionError():
                return ModelUnavailable(f"{self._where} cannot be reached: is the URL right and the server running?")
        return ModelUnavailable(
            f"{self._where} answered something that is no chat completion: is the base URL right (often …/v1)?"
        )

    def _about_key(self, status: int) -> str:
        if not self._key:
            return f"{self._where} wants a key ({status}): set MPT_API_KEY"
        return f"the key for {self._where} was refused ({status}): set MPT_API_KEY"

    def _too_late(self, came: int, asked: int) -> ModelUnavailable:
        return ModelUnavailable(
            f"{self._where} gave {came} of {asked} replies within {self._deadline_s:g} s: "
            "those are kept; try again, or raise llm_deadline_s"
        )

    def _quoted(self, error: openai.APIStatusError) -> str:
        """What the server said: one printable line, short, and never our key, which some servers repeat."""
        said = _said(error)
        if self._key:
            said = said.replace(self._key, "…")
        return "".join(c if c.isprintable() else " " for c in said)[:200]


def _reply(completion: ChatCompletion) -> Reply:
    """Trips over what is no chat completion: some servers answer 200 with a page, or with an error."""
    usage = completion.usage
    return Reply(
        text=_encodable(completion.choices[0].message.content or ""),
        prompt_tokens=usage.prompt_tokens if usage else 0,
        completion_tokens=usage.completion_tokens if usage else 0,
    )


def _said(error: openai.APIStatusError) -> str:
    body = error.body if isinstance(error.body, dict) else {}
    return str(body.get("message") or error.message)


def _encodable(text: str) -> str:
    """Lone surrogates fit in no UTF-8 body or file."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _host_and_shown(base_url: str) -> tuple[str, str]:
    """The URL's host, and the URL without user, password and query: those may be secrets."""
    try:
        url = urlsplit(base_url)
        port = "" if url.port is None else f":{url.port}"
    except ValueError:
        url, port = urlsplit(""), ""
    if url.scheme not in ("http", "https") or not url.hostname:
        raise SettingsError("the language model's base URL is not of the form http(s)://HOST[:PORT]/PATH")
    host = f"[{url.hostname}]" if ":" in url.hostname else url.hostname
    return url.hostname, f"{url.scheme}://{host}{port}{url.path}"


def _sendable(key: str | None, where: str) -> str:
    stripped = (key or "").strip()
    if not (stripped.isascii() and stripped.isprintable()) or " " in stripped:
        raise SettingsError(f"the key for {where} holds characters that no key has: set MPT_API_KEY")
    return stripped


class _Batch:
    """The requests of one batch, on one event loop."""

    def __init__(self, ask: Callable[[Request], Awaitable[Reply]], slots: threading.Semaphore) -> None:
        self.waiting: set[asyncio.Task[tuple[int, Reply | None]]] = set()
        self.failure: ModelError | None = None
        self._ask = ask
        self._slots = slots

    async def start(self, requests: Sequence[Request]) -> None:
        self.waiting = {asyncio.create_task(self._one(*numbered)) for numbered in enumerate(requests)}

    async def next(self) -> list[tuple[int, Reply]]:
        """What has arrived since; waits a moment for the first."""
        done, self.waiting = await asyncio.wait(self.waiting, timeout=_POLL_S, return_when=asyncio.FIRST_COMPLETED)
        arrived = sorted((task.result() for task in done), key=lambda pair: pair[0])
        return [(index, reply) for index, reply in arrived if reply is not None]

    async def abandon(self) -> None:
        """Closes the connections of what is in flight: its server sees that nobody waits any more."""
        for task in self.waiting:
            task.cancel()
        await asyncio.gather(*self.waiting, return_exceptions=True)

    async def _one(self, index: int, request: Request) -> tuple[int, Reply | None]:
        while not self._slots.acquire(blocking=False):  # other threads' batches hold them, too
            await asyncio.sleep(_SLOT_POLL_S)
        try:
            return index, None if self.failure else await self._ask(request)
        except ModelError as error:
            self.failure = self.failure or error
            return index, None
        finally:
            self._slots.release()
