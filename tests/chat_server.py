"""A chat completion server on loopback whose answers are a function of what it is asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Asked:
    """One request as it reached the server; header names in lower case."""

    body: dict[str, Any]
    headers: dict[str, str]
    path: str


@dataclass(frozen=True)
class Answer:
    """status, headers and body; a body that is no string is sent as JSON. `until`: held back until it is set."""

    body: Any
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    until: threading.Event | None = None


def completion(text: str | None, **usage: int) -> Answer:
    """A well-formed answer with one choice."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    counted = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10} | usage
    return Answer(
        {"id": "1", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice], "usage": counted}
    )


def refusal(status: int, message: str, headers: dict[str, str] | None = None, **error: str) -> Answer:
    return Answer({"error": {"message": message, "type": "error"} | error}, status, headers or {})


class ChatServer:
    """What it was asked, in order of arrival, and how many requests it held at once.

    loading: how often /health says that the model is still loading.
    """

    def __init__(self, answer: Callable[[Asked], Answer], loading: int = 0, port: int = 0) -> None:
        self.loading = loading
        self.asked: list[Asked] = []
        self.most_at_once = 0
        self._at_once = 0
        self._lock = threading.Lock()
        self._answer = answer
        handler = type("Handler", (_Handler,), {"chat": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", port), handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def handle(self, asked: Asked) -> Answer:
        with self._lock:
            self.asked.append(asked)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        answer = self._answer(asked)
        if answer.until is not None:
            answer.until.wait(60)
        with self._lock:
            self._at_once -= 1
        return answer

    @contextmanager
    def serving(self) -> Iterator[ChatServer]:
        thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            thread.join()
            self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    chat: ChatServer
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        body = json.loads(self.rfile.read(length))
        answer = self.chat.handle(Asked(body, {name.lower(): value for name, value in self.headers.items()}, self.path))
        is_text = isinstance(answer.body, str)
        data = (answer.body if is_text else json.dumps(answer.body)).encode()
        headers = {"Content-Type": "application/json", "Content-Length": str(len(data))} | answer.headers
        try:
            self.send_response(answer.status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def do_GET(self) -> None:
        self.chat.loading -= 1
        self.send_response(503 if self.chat.loading >= 0 else 200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: Any) -> None: ...
