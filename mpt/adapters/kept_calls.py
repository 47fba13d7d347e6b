"""How found inputs are kept: a JSON array, one call a line, values as `mpt.worker.codec` spells them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from mpt.errors import FuzzerError, StoreError
from mpt.values import Arguments, Value
from mpt.worker import codec


def inputs_text(found: Sequence[Arguments]) -> str:
    """The text that `read_inputs` reads."""
    lines = ",\n".join(codec.dumps(_call_tree(arguments)) for arguments in found)
    return f"[\n{lines}\n]\n"


def read_inputs(text: str, kind: str, key: str) -> tuple[Arguments, ...]:
    """The inputs kept under (kind, key). Raises FuzzerError where it was kept that the fuzzer broke, StoreError."""
    try:
        kept = json.loads(text)
        if isinstance(kept, list):
            return tuple(_call(tree) for tree in kept)
        broke = str(kept["broke"])
    except (ValueError, LookupError, TypeError) as error:
        raise damaged(kind, key, error) from None
    raise FuzzerError(broke)


def damaged(kind: str, key: str, error: Exception) -> StoreError:
    """What is kept there cannot be read, and what to do about it."""
    return StoreError(f"the kept {kind} {key[:12]}… cannot be read ({error}): `mpt cache clear {kind}` forgets it")


def _call_tree(arguments: Arguments) -> dict[str, Any]:
    return {
        "positional": [codec.parse(value.wire) for value in arguments.positional],
        "keyword": [[name, codec.parse(value.wire)] for name, value in arguments.keyword],
        "origin": arguments.origin,
        "engine": arguments.engine,
    }


def _call(tree: dict[str, Any]) -> Arguments:
    return Arguments(
        positional=tuple(Value(codec.dumps(value)) for value in tree["positional"]),
        keyword=tuple((name, Value(codec.dumps(value))) for name, value in tree["keyword"]),
        origin=tree["origin"],
        engine=tree["engine"],
    )
