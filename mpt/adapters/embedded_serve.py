"""The child process that serves the embedded model on loopback: `python -P -m mpt.adapters.embedded_serve`.

Reads one line of JSON, {"file", "key", "slots", "context"}, from standard input, which is open until the parent is
gone; answers one line of JSON, {"url"} or {"error"}, on standard output. All else it says goes to standard error.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

from mpt.adapters.tether import tie_to_parent


def main() -> None:
    order = json.loads(sys.stdin.buffer.readline())
    parent = os.getppid()
    tie_to_parent()
    answers = os.dup(1)
    os.dup2(2, 1)
    try:
        server = serve(order)
        answer = {"url": server.listening_address}
    except ImportError as error:
        answer = {"error": f"xllamacpp is not installed ({error}): install metamorphic-prompt-testing[local]"}
    except RuntimeError as error:
        answer = {"error": f"xllamacpp cannot serve {order['file']} ({error}): `mpt llm pull` checks the file"}
    os.write(answers, (json.dumps(answer) + "\n").encode())
    while "url" in answer and os.getppid() == parent:
        time.sleep(1)
    os._exit(0)


def serve(order: dict[str, Any]) -> Any:
    """A server that answers on a free port of 127.0.0.1; returns when the model is loaded.

    Its threads sleep where they wait for one another: spinning, they gave 1.4 tokens a second instead of 7.7 on two
    cores that had other work too, and no more than sleeping ones on idle cores.
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = order["file"]
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.api_keys = [order["key"]]
    parameters.n_parallel = order["slots"]
    parameters.n_ctx = order["slots"] * order["context"]
    parameters.cache_ram_mib = 0
    parameters.ui = False
    parameters.endpoint_slots = False
    return xllamacpp.Server(parameters)


if __name__ == "__main__":
    main()
