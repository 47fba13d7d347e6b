"""Every language model, remote or embedded, through the OpenAI protocol (chat completions).

One choice a request (`n` above 1 is refused by some servers and ignored by others). One layer retries, the SDK's;
above it stands a wall clock of ours. The key is sent to the base URL and to nothing else; no message holds it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from mpt.adapters.arrivals import Replies, gather
from mpt.errors import ModelError, ModelRefused, ModelUnavailable
from mpt.ports import Watch
from mpt.values import Reply, Request

if TYPE_CHECKING:
    import openai
    from openai.types.chat import ChatCompletion

_POLL_S = 0.2
"""How often a waiting batch asks whether the person said stop."""

_CONNECT_S = 10.0

_RETRIES = 2

_ADAPTABLE = ("max_tokens", "temperature", "stop")
"""What some models refuse: `max_tokens` is then called `max_completion_tokens`, the others are left out."""

_UNSUPPORTED = ("support", "unrecognized", "unknown", "unexpected", "not permitted", "not allowed", "deprecated")


class OpenAIModel:
    """A model behind a base URL. Not for use inside a running event loop: it blocks, and runs one of its own."""

    def __init__(self, name: str, base_url: str, key: str | None, deadline_s: float, concurrency: int) -> None:
        """deadline_s: wall clock for one batch, retries included. concurrency: requests in flight at most."""
        self._name = name
        self._base_url = base_url
        self._key = key
        self._deadline_s = deadline_s
        self._concurrency = concurrency
        self._refused: set[str] = set()

    @property
    def name(self) -> str:
        return self._name

    def complete(self, requests: Sequence[Request], watch: Watch) -> tuple[Reply, ...]:
        return gather(self.arrivals(requests, watch), len(requests), watch)

    def arrivals(self, requests: Sequence[Request], watch: Watch) -> Replies:
        """After the first failure nothing new is sent; what is in flight is awaited and handed on."""
        watch.check()
        deadline = time.monotonic() + self._deadline_s
        with asyncio.Runner() as runner:
            batch = runner.run(_Batch.start(self, requests))
            try:
                while batch.waiting:
                    watch.check()
                    if time.monotonic() > deadline:
                        raise self._too_late(len(requests) - len(batch.waiting), len(requests))
                    yield from runner.run(batch.next())
            finally:
                runner.run(batch.abandon())
        if batch.failure:
            raise batch.failure

    def close(self) -> None:
        """Nothing outlives a batch."""

    async def ask(self, client: openai.AsyncOpenAI, request: Request) -> Reply:
        """One reply. Raises ModelError."""
        import openai

        for _ in range(len(_ADAPTABLE) + 1):
            asked = self._parameters(request)
            try:
                return self._reply(await client.chat.completions.create(**asked))
            except openai.BadRequestError as error:
                if not self._adapt(asked, error):
                    raise self._explained(error) from None
            except (openai.OpenAIError, *_NO_COMPLETION) as error:
                raise self._explained(error) from None
        raise ModelRefused(f"{self._where} refuses every spelling of the request (400)")

    def client(self) -> openai.AsyncOpenAI:
        """Nothing is taken from OPENAI_* variables, and a loopback server is never asked through a proxy."""
        import openai

        http = openai.DefaultAsyncHttpxClient(trust_env=urlsplit(self._base_url).hostname not in _LOOPBACK)
        client = openai.AsyncOpenAI(
            api_key=self._key or "none",
            base_url=self._base_url,
            timeout=openai.Timeout(self._deadline_s, connect=min(_CONNECT_S, self._deadline_s)),
            max_retries=_RETRIES,
            http_client=http,
        )
        client.organization = client.project = None
        return client

    @property
    def concurrency(self) -> int:
        return self._concurrency

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
        body = error.body if isinstance(error.body, dict) else {}
        said = f"{body.get('message', error.message)}".lower()
        if not any(word in said for word in _UNSUPPORTED):
            return False
        named = {name for name in _ADAPTABLE if name in asked and (name == body.get("param") or name in said)}
        self._refused |= named
        return bool(named)

    def _reply(self, completion: ChatCompletion) -> Reply:
        """Trips over what is no chat completion: some servers answer 200 with a page, or with an error."""
        text = completion.choices[0].message.content or ""
        usage = completion.usage
        return Reply(
            text=_encodable(text),
            prompt_tokens=usage.prompt_tokens if usage else 0,
            completion_tokens=usage.completion_tokens if usage else 0,
        )

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

    @property
    def _where(self) -> str:
        """The base URL without user, password and query."""
        url = urlsplit(self._base_url)
        return f"{url.scheme}://{url.netloc.rpartition('@')[2]}{url.path}"

    def _quoted(self, error: openai.APIStatusError) -> str:
        """What the server said: one printable line, short, and never our key, which some servers repeat."""
        body = error.body if isinstance(error.body, dict) else {}
        said = str(body.get("message") or error.message)
        if self._key:
            said = said.replace(self._key, "…")
        return "".join(c if c.isprintable() else " " for c in said)[:200]


_NO_COMPLETION = (ValueError, TypeError, LookupError, AttributeError)
"""What reading an answer raises that is not shaped like a chat completion."""

_LOOPBACK = ("127.0.0.1", "localhost", "::1")


def _encodable(text: str) -> str:
    """Lone surrogates fit in no UTF-8 body or file."""
    return text.encode("utf-8", "replace").decode("utf-8")


class _Batch:
    """The requests of one batch, on one event loop."""

    def __init__(self, client: openai.AsyncOpenAI) -> None:
        self.waiting: set[asyncio.Task[tuple[int, Reply | None]]] = set()
        self.failure: ModelError | None = None
        self._client = client

    @classmethod
    async def start(cls, model: OpenAIModel, requests: Sequence[Request]) -> _Batch:
        batch = cls(model.client())
        slots = asyncio.Semaphore(model.concurrency)
        for index, request in enumerate(requests):
            batch.waiting.add(asyncio.create_task(batch._one(model, slots, index, request)))
        return batch

    async def _one(
        self, model: OpenAIModel, slots: asyncio.Semaphore, index: int, request: Request
    ) -> tuple[int, Reply | None]:
        async with slots:
            if self.failure:
                return index, None
            try:
                return index, await model.ask(self._client, request)
            except ModelError as error:
                self.failure = self.failure or error
                return index, None

    async def next(self) -> list[tuple[int, Reply]]:
        """What has arrived since; waits a moment for the first."""
        done, self.waiting = await asyncio.wait(self.waiting, timeout=_POLL_S, return_when=asyncio.FIRST_COMPLETED)
        arrived = sorted((task.result() for task in done), key=lambda pair: pair[0])
        return [(index, reply) for index, reply in arrived if reply is not None]

    async def abandon(self) -> None:
        """Closes every connection; the servers see that nobody waits any more."""
        for task in self.waiting:
            task.cancel()
        await asyncio.gather(*self.waiting, return_exceptions=True)
        await self._client.close()
