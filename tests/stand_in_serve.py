"""Stands in for `mpt.adapters.embedded_serve`: the same talk over its pipes, a made-up model behind it.

The one argument says how it behaves: well, mute (never answers its order), broken (ends at once), refusing (says why
it cannot serve), fragile (ends when it is asked).
"""

from __future__ import annotations

import json
import os
import sys
import threading

from chat_server import Answer, Asked, ChatServer, completion, refusal
from mpt.adapters.tether import tie_to_parent


def main() -> None:
    behaviour = sys.argv[1]
    order = json.loads(sys.stdin.buffer.readline())
    tie_to_parent()
    if behaviour == "broken":
        sys.exit("no such instruction: the processor is too old")
    if behaviour == "refusing":
        print(json.dumps({"error": "xllamacpp is not installed"}), flush=True)
        return
    print("chatter " * 20_000, file=sys.stderr)
    if behaviour == "mute":
        threading.Event().wait()

    def answer(asked: Asked) -> Answer:
        if behaviour == "fragile":
            print("out of memory", file=sys.stderr, flush=True)
            os._exit(9)
        if asked.headers["authorization"] != f"Bearer {order['key']}":
            return refusal(401, "not my key")
        return completion(f"{os.getpid()}")

    with ChatServer(answer, loading=3).serving() as server:
        print(json.dumps({"url": server.url.removesuffix("/v1")}), flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
