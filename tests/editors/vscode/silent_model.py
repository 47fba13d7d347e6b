"""A language model that is asked and never answers; prints its base URL."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from chat_server import Answer, ChatServer

if __name__ == "__main__":
    never = threading.Event()
    with ChatServer(lambda asked: Answer("", until=never)).serving() as chat:
        print(chat.url, flush=True)
        sys.stdin.read()
        never.set()
