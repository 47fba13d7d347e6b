"""Under which name something is kept: SHA-256 of canonical JSON of all it depends on, and of nothing else.

A reply does not depend on the URL, port or key it was asked with, so none of them is part of a key.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from mpt.values import Arguments, Campaign, ForeignType, FuzzBudget, Parameter, Place, Program, Request, Shape


def request_key(request: Request, model: str) -> str:
    """Key of one reply. `model`: a remote model's name, an embedded model's file hash."""
    return _digest(
        "request",
        model,
        [[message.role, message.content] for message in request.messages],
        float(request.temperature),
        request.max_tokens,
        request.template,
        request.sample,
        list(request.stop),
    )


def program_key(program: Program) -> str:
    """Key of what a program does: its text and entry point, wherever it came from."""
    return _digest("program", program.source, program.entry_point, *_placed(program.place))


def inputs_key(campaign: Campaign, budget: FuzzBudget, engine: str, types: Sequence[ForeignType] = ()) -> str:
    """Key of the inputs one fuzzing run found, its corpus apart.

    types: of plugins; those count whose package the programs name.
    """
    target, others, precondition = campaign.target, campaign.others, campaign.precondition
    texts = [one.source + (one.place.module.text if one.place else "") for one in (target, *others)]
    return _digest(
        "inputs",
        program_key(target),
        [asdict(parameter) for parameter in campaign.parameters],
        [_call(arguments) for arguments in campaign.seeds],
        asdict(budget),
        engine,
        [program_key(other) for other in others],
        program_key(precondition) if precondition else "",
        *types_key([one for one in types if any(one.package in text for text in texts)]),
    )


def corpus_key(entry_point: str, parameters: Sequence[Parameter]) -> str:
    """Key of the best inputs known for a function, whatever its body is."""
    return _digest("corpus", entry_point, [asdict(parameter) for parameter in parameters])


def types_key(types: Sequence[ForeignType]) -> list[Any]:
    """What plugins tell of types: what makes their values, tells them and compares them, as texts."""
    return [
        [one.name, asdict(one.makes) if isinstance(one.makes, Shape) else list(one.makes), one.source, one.rule]
        for one in types
    ]


def _placed(place: Place | None) -> list[str]:
    """The module as it is now, and where in it; nothing for what stands alone."""
    return [place.module.name, place.module.text, place.name, place.kind] if place else []


def _call(arguments: Arguments) -> list[Any]:
    positional = [value.wire for value in arguments.positional]
    return [positional, [[name, value.wire] for name, value in arguments.keyword]]


def _digest(*parts: Any) -> str:
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()
