"""A language model on loopback that prints its base URL: `python tests/editors/model.py scripted|silent`.

scripted: answers as the recording does. silent: never answers. Both end when stdin does.
"""

from __future__ import annotations

import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from record import Model

from chat_server import Answer, Asked, ChatServer


def serve(kind: str) -> None:
    over = threading.Event()

    def silent(asked: Asked) -> Answer:
        return Answer("", until=over)

    with ChatServer(Model() if kind == "scripted" else silent).serving() as chat:
        print(chat.url, flush=True)
        sys.stdin.read()
        over.set()


if __name__ == "__main__":
    serve(sys.argv[1])
