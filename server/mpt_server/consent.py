"""Whether code of a root may be run and its docstrings be sent: asked once per root, remembered.

What was agreed to is part of the key: another model, interpreter or sandbox, or none, is asked about anew.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from mpt.errors import StoreError
from mpt.ports import Store
from mpt.settings import Settings
from mpt_server.client import Client
from mpt_server.digests import digest

KIND = "consent"
ALLOW, NOT_NOW, NEVER = "Allow", "Not now", "Never here"


class Consent:
    """Answers for this client; "Not now", or no answer, holds until the client is restarted.

    trusted: the editor's own word where it has one; then nobody is asked. None: it has none.
    """

    def __init__(self, client: Client, store: Store, trusted: bool | None = None) -> None:
        self.trusted = trusted
        self._client = client
        self._store = store
        self._asked: dict[str, asyncio.Task[bool]] = {}

    async def known(self, root: Path, settings: Settings) -> bool | None:
        """The answer, without asking; None where nobody was asked."""
        if self.trusted is not None:
            return self.trusted
        asked = self._asked.get(_key(root, settings))
        if asked is not None:
            return asked.result() if asked.done() and not asked.cancelled() else None
        kept = await self._kept(_key(root, settings))
        return None if kept is None else kept == "yes"

    async def given(self, root: Path, settings: Settings) -> bool:
        """Asks where it must; everybody who asks about the same at the same time waits for the same answer."""
        if self.trusted is not None:
            return self.trusted
        key = _key(root, settings)
        if key not in self._asked:
            self._asked[key] = asyncio.ensure_future(self._decide(key, root, settings))
        return await asyncio.shield(self._asked[key])

    async def _decide(self, key: str, root: Path, settings: Settings) -> bool:
        kept = await self._kept(key)
        if kept is not None:
            return kept == "yes"
        answer = await self._client.ask(question(root, settings), (ALLOW, NOT_NOW, NEVER))
        if answer in (ALLOW, NEVER):
            await self._keep(key, "yes" if answer == ALLOW else "no")
        return answer == ALLOW

    async def _kept(self, key: str) -> str | None:
        try:
            return await asyncio.to_thread(self._store.get, KIND, key)
        except StoreError as error:
            self._client.tell_once(f"mpt: {error}")
            return None

    async def _keep(self, key: str, answer: str) -> None:
        try:
            await asyncio.to_thread(self._store.put, KIND, key, answer)
        except StoreError as error:
            self._client.tell(f"mpt will ask again next time: {error}")


def question(root: Path, settings: Settings) -> str:
    """What is run, what is sent, and to whom."""
    if settings.llm == "embedded":
        model = "the embedded language model on this machine"
    else:
        model = f"the language model {settings.llm}"
    wall = "WITHOUT a sandbox" if settings.sandbox == "none" else "in a sandbox without network"
    python = f" with {settings.python}" if settings.python else ""
    return (
        f"May mpt check the functions in {root}? It imports their modules and runs them{python} {wall}, "
        f"and sends their signature and docstring ({_TOLD[settings.context]}), nothing else, to {model}."
    )


_TOLD = {
    "none": "with the imports these need",
    "signatures": "with imports, constants and the signatures and docstrings of what they use",
    "definitions": "with the definitions of what they use",
}
"""What else is sent, by the setting `context`."""


def _key(root: Path, settings: Settings) -> str:
    parts = [str(root), settings.llm, settings.python, settings.sandbox == "none", settings.context]
    return digest(json.dumps(parts))
