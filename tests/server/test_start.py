"""A start is quick: what it does not need is loaded when it is needed."""

from __future__ import annotations

import subprocess
import sys

HEAVY = {
    *("mpt.pipeline", "mpt.source", "mpt.validation", "mpt.wiring", "openai", "tree_sitter", "sqlite3"),
    *("cattrs.strategies", "email", "hashlib", "http.client", "tempfile", "urllib.request"),
}


def test_nothing_heavy_is_loaded_before_initialize() -> None:
    code = "import sys, mpt_server.__main__; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "mpt_server.session" in loaded
    assert HEAVY & loaded == set()
