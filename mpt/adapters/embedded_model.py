"""The embedded model: a child process serves it on loopback, and the OpenAI adapter asks it.

The child is started when a reply is first wanted, stopped when none was wanted for a while, and ends with us.
"""

from __future__ import annotations

import http.client
import json
import queue
import secrets
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

from mpt.adapters.arrivals import Replies, gather
from mpt.adapters.embedded_download import QWEN, ModelFile, missing
from mpt.adapters.openai_model import OpenAIModel
from mpt.adapters.priority import standing_back
from mpt.errors import ModelUnavailable
from mpt.ports import Watch
from mpt.values import Reply, Request

SERVE = (sys.executable, "-P", "-m", "mpt.adapters.embedded_serve")
"""What is run as the child; -P, so that nothing in the working directory is imported."""

_SLOTS = 4
"""Requests served at once: four slots take 55 % of one slot's time a program on two cores."""

_CONTEXT = 4096
"""Tokens of one slot."""

_START_S = 180.0
_POLL_S = 0.1
_LINE_BYTES = 1 << 16


class EmbeddedModel:
    """Asks the model in `folder`, as `mpt.adapters.embedded_download.pull` left it there."""

    def __init__(
        self,
        folder: Path,
        deadline_s: float,
        *,
        model: ModelFile = QWEN,
        idle_s: float = 300.0,
        command: Sequence[str] = SERVE,
        nice: int = 0,
    ) -> None:
        """deadline_s: wall clock for one batch, loading not counted. idle_s: the child is stopped after so long.

        nice: how far it stands back (0 to 19).
        """
        self._folder = folder
        self._deadline_s = deadline_s
        self._model = model
        self._idle_s = idle_s
        self._command = standing_back(command, nice)
        self._lock = threading.Lock()
        self._server: _Server | None = None
        self._users = 0
        self._idle: threading.Timer | None = None

    @property
    def name(self) -> str:
        return f"sha256:{self._model.sha256}"

    def complete(self, requests: Sequence[Request], watch: Watch) -> tuple[Reply, ...]:
        return gather(self.arrivals(requests, watch), len(requests), watch)

    def arrivals(self, requests: Sequence[Request], watch: Watch) -> Replies:
        """Raises ModelUnavailable where the model is not downloaded, cannot be served, or its server ended."""
        with self._in_use(watch) as server:
            asking = OpenAIModel(self.name, f"{server.url}/v1", server.key, self._deadline_s, _SLOTS)
            try:
                yield from asking.arrivals(requests, watch)
            except ModelUnavailable:
                server.raise_if_ended()
                raise

    def close(self) -> None:
        with self._lock:
            self._stop()

    @contextmanager
    def _in_use(self, watch: Watch) -> Iterator[_Server]:
        self._acquire(watch)
        try:
            server = self._started(watch)
            self._users += 1
        finally:
            self._lock.release()
        try:
            yield server
        finally:
            with self._lock:
                self._users -= 1
                if self._users == 0:
                    self._idle = threading.Timer(self._idle_s, self._stop_if_idle)
                    self._idle.daemon = True
                    self._idle.start()

    def _acquire(self, watch: Watch) -> None:
        """Another thread may hold the lock while the model loads."""
        while not self._lock.acquire(timeout=_POLL_S):
            watch.check()

    def _started(self, watch: Watch) -> _Server:
        watch.check()
        if self._idle is not None:
            self._idle.cancel()
        if self._server is None or self._server.ended:
            self._stop()
            problem = missing(self._folder, self._model)
            if problem is not None:
                raise ModelUnavailable(problem)
            server = _Server(self._command, self._folder / self._model.name)
            try:
                server.wait_until_up(watch)
            except BaseException:
                server.stop()
                raise
            self._server = server
        return self._server

    def _stop_if_idle(self) -> None:
        with self._lock:
            if self._users == 0:
                self._stop()

    def _stop(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
        if self._server is not None:
            self._server.stop()
        self._server = self._idle = None


class _Server:
    """One child process, its address and its key."""

    def __init__(self, command: Sequence[str], file: Path) -> None:
        self.url = ""
        self.key = secrets.token_urlsafe(32)
        self._log: deque[str] = deque(maxlen=50)
        self._answers: queue.Queue[str | None] = queue.Queue()
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=file.parent,
            start_new_session=True,
        )
        self._pipes = _pipes(self._process)
        self._readers = [threading.Thread(target=read, daemon=True) for read in (self._read_answers, self._read_log)]
        for reader in self._readers:
            reader.start()
        order = {"file": str(file), "key": self.key, "slots": _SLOTS, "context": _CONTEXT}
        self._tell(json.dumps(order) + "\n")

    @property
    def ended(self) -> bool:
        return self._process.poll() is not None

    def wait_until_up(self, watch: Watch) -> None:
        """Raises ModelUnavailable where it does not come up, Cancelled."""
        deadline = time.monotonic() + _START_S
        while not (self.url and _healthy(self.url)):
            watch.check()
            if time.monotonic() > deadline:
                raise ModelUnavailable(f"the embedded model was not loaded within {_START_S:.0f} s: {self._last_words}")
            self._listen()

    def raise_if_ended(self) -> None:
        if self.ended:
            self._readers[1].join()
            raise ModelUnavailable(
                f"the embedded model's server ended (exit code {self._process.returncode}): {self._last_words}"
            )

    def stop(self) -> None:
        """It holds nothing that killing could spoil."""
        self._process.kill()
        self._process.wait()
        for reader in self._readers:
            reader.join()
        for pipe in self._pipes:
            pipe.close()

    def _listen(self) -> None:
        try:
            line = self._answers.get(timeout=_POLL_S)
        except queue.Empty:
            return
        if line is None:
            self._process.wait()
            self.raise_if_ended()
            return
        answer = json.loads(line)
        if "error" in answer:
            raise ModelUnavailable(answer["error"])
        self.url = answer["url"]

    def _read_answers(self) -> None:
        """Its lines, then None."""
        _read(self._pipes[1], self._answers.put)
        self._answers.put(None)

    def _read_log(self) -> None:
        _read(self._pipes[2], self._log.append)

    def _tell(self, line: str) -> None:
        try:
            self._pipes[0].write(line.encode())
            self._pipes[0].flush()
        except BrokenPipeError:
            return  # it ended at once: `wait_until_up` says why

    @property
    def _last_words(self) -> str:
        return self._log[-1] if self._log else "it said nothing"


def _pipes(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
    """Its standard input, output and error."""
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    return process.stdin, process.stdout, process.stderr


def _read(pipe: IO[bytes], take: Callable[[str], None]) -> None:
    """Line by line until the child closes it; a line of enormous length in pieces."""
    while line := pipe.readline(_LINE_BYTES):
        take(line.decode("utf-8", "replace").rstrip())


def _healthy(url: str) -> bool:
    """Whether the model is loaded; until then it answers 503, or nothing."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=5)
    try:
        connection.request("GET", "/health")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
